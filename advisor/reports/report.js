(() => {
  "use strict";
  const findings = [...document.querySelectorAll(".finding")];
  const texts = findings.map((each) => each.textContent.toLowerCase());
  const form = document.getElementById("filters");
  const status = document.getElementById("shown");
  const said = document.getElementById("said");

  const apply = () => {
    const words = form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const severities = new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value));
    const family = form.elements.family.value;
    let count = 0;
    findings.forEach((each, at) => {
      const fits = severities.has(each.dataset.severity)
        && (!family || each.dataset.family === family)
        && words.every((word) => texts[at].includes(word));
      each.hidden = !fits;
      count += fits ? 1 : 0;
    });
    status.textContent = `${count} of ${findings.length} shown`;
    document.getElementById("none").hidden = count > 0 || findings.length === 0;
  };

  const open = (state) => document.querySelectorAll(".finding details").forEach((each) => { each.open = state; });

  const copy = async (button) => {
    const text = document.getElementById(button.dataset.copies).textContent;
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copies));
      said.textContent = "Selected: copy it with the keyboard";
    }
    button.textContent = said.textContent;
    setTimeout(() => { button.textContent = "Copy"; said.textContent = ""; }, 2000);
  };

  if (form) {
    form.addEventListener("input", apply);
    form.addEventListener("reset", () => setTimeout(apply));
    form.addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("open").addEventListener("click", () => open(true));
    document.getElementById("close").addEventListener("click", () => open(false));
    document.querySelectorAll("[data-copies]").forEach((each) => each.addEventListener("click", () => copy(each)));
    form.hidden = false;
    document.querySelectorAll("[data-copies]").forEach((each) => { each.hidden = false; });
    apply();
  }

  let before = [];
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details:not([open])").forEach((each) => { each.open = true; before.push(each); });
  });
  addEventListener("afterprint", () => { before.forEach((each) => { each.open = false; }); before = []; });
})();
