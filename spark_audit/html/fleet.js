(() => {
  "use strict";
  const rows = [...document.querySelectorAll("table[data-clusters] tbody tr")];
  const texts = rows.map((each) => each.cells[0].textContent.toLowerCase());
  const form = document.getElementById("filters");
  const status = document.getElementById("shown");
  const heads = [...document.querySelectorAll(".heatmap thead th")];
  const WORST_FIRST = ["C", "H", "M", "L", "I"];
  const TEXT_COLUMNS = 3;

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

  // A cell of a family sorts by its worst severity, then by its count; others by their number or their text.
  const key = (row, column) => {
    const text = row.cells[column].firstChild.textContent.trim();
    const severity = row.cells[column].querySelector("i");
    if (severity) { return 1e9 * (WORST_FIRST.length - WORST_FIRST.indexOf(severity.textContent)) + Number(text); }
    return text === "·" ? 0 : Number.isNaN(Number(text)) ? text : Number(text);
  };

  const sort = (column) => {
    const body = document.querySelector(".heatmap tbody");
    const now = heads[column].getAttribute("aria-sort");
    const ascending = now === "descending" || (now === null && column < TEXT_COLUMNS);
    const keyed = [...body.rows].map((row) => [key(row, column), row]);
    keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0) * (ascending ? 1 : -1));
    body.append(...keyed.map(([, row]) => row));
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", ascending ? "ascending" : "descending");
  };

  if (form) {
    form.addEventListener("input", apply);
    form.addEventListener("reset", () => setTimeout(apply));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.hidden = false;
    apply();
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      button.addEventListener("click", () => sort(column));
      head.replaceChildren(button);
    });
  }

  let opened = [];
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details:not([open])").forEach((each) => { each.open = true; opened.push(each); });
  });
  addEventListener("afterprint", () => { opened.forEach((each) => { each.open = false; }); opened = []; });
})();
