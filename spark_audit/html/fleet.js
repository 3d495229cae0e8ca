(() => {
  "use strict";
  const rows = [...document.querySelectorAll("table[data-clusters] tbody tr")];
  const texts = rows.map((each) => each.cells[0].textContent.toLowerCase());
  const form = document.getElementById("filters");
  const status = document.getElementById("shown");

  const apply = () => {
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((each, at) => {
      const fits = words.every((word) => texts[at].includes(word));
      each.hidden = !fits;
      count += fits ? 1 : 0;
    });
    status.textContent = `${count} of ${rows.length} lines shown`;
  };

  if (form) {
    form.addEventListener("input", apply);
    form.addEventListener("reset", () => setTimeout(apply));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    apply();
  }

  let before = [];
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details:not([open])").forEach((each) => { each.open = true; before.push(each); });
  });
  addEventListener("afterprint", () => { before.forEach((each) => { each.open = false; }); before = []; });
})();
