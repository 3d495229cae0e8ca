(() => {
  "use strict";
  const form = document.getElementById("filters");
  const status = document.getElementById("shown");
  const said = document.getElementById("said");
  const lower = (element) => element.textContent.toLowerCase();
  const cards = [...document.querySelectorAll(".finding")].map((card) => {
    const places = [...card.querySelectorAll(".place")].map((place) => ({ place, text: `${lower(place)} ${place.dataset.source.toLowerCase()}` }));
    const own = [...card.children].filter((child) => !child.matches(".places, .more")).map(lower).join(" ");
    return { card, places, text: `${own} ${card.dataset.family}` };
  });
  const total = cards.reduce((sum, each) => sum + each.places.length, 0);

  const filters = () => ({
    words: form.elements.search.value.toLowerCase().split(/\s+/).filter(Boolean),
    severities: new Set([...form.querySelectorAll("[name=severity]:checked")].map((box) => box.value)),
    family: form.elements.family.value,
    source: form.elements.source ? form.elements.source.value : "",
  });

  const apply = () => {
    const { words, severities, family, source } = filters();
    let count = 0;
    cards.forEach(({ card, places, text }) => {
      let shown = 0;
      places.forEach((each) => {
        const { place } = each;
        const fits = severities.has(place.dataset.severity)
          && (!family || card.dataset.family === family)
          && (!source || place.dataset.source === source)
          && words.every((word) => text.includes(word) || each.text.includes(word));
        place.hidden = !fits;
        shown += fits ? 1 : 0;
      });
      const more = card.querySelector(".more");
      if (more) { more.hidden = !more.querySelector(".place:not([hidden])"); }
      card.hidden = shown === 0;
      count += shown;
    });
    status.textContent = `${count.toLocaleString("en")} of ${total.toLocaleString("en")} shown`;
    document.getElementById("none").hidden = count > 0 || total === 0;
  };

  const open = (state) => document.querySelectorAll(".finding details").forEach((each) => { each.open = state; });

  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const card = target && target.closest(".finding");
    if (!card) { return; }
    if (card.hidden || target.hidden) { form.reset(); apply(); }
    for (let each = target.closest("details"); each; each = each.parentElement.closest("details")) { each.open = true; }
    target.scrollIntoView();
  };

  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.textContent);
      said.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      said.textContent = "Selected: copy it with the keyboard";
    }
    button.textContent = said.textContent.split(":")[0];
    setTimeout(() => { button.textContent = "Copy"; said.textContent = ""; }, 2000);
  };

  if (form) {
    form.addEventListener("input", apply);
    form.addEventListener("reset", () => setTimeout(apply));
    form.addEventListener("submit", (event) => event.preventDefault());
    document.getElementById("open").addEventListener("click", () => open(true));
    document.getElementById("close").addEventListener("click", () => open(false));
    document.querySelectorAll(".families a").forEach((link) => link.addEventListener("click", () => {
      form.elements.family.value = link.dataset.family;
      apply();
    }));
    document.querySelectorAll("[data-copies]").forEach((button) => {
      button.addEventListener("click", () => copy(button));
      button.hidden = false;
    });
    form.hidden = false;
    apply();
    addEventListener("hashchange", reveal);
    reveal();
  }

  let opened = [];
  addEventListener("beforeprint", () => {
    document.querySelectorAll("details:not([open]):not(.evidence, .skipped)").forEach((each) => {
      each.open = true;
      opened.push(each);
    });
  });
  addEventListener("afterprint", () => { opened.forEach((each) => { each.open = false; }); opened = []; });
})();
