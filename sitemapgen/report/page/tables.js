"use strict";
// On a narrow screen a table that does not fit has a block for each row: no column is cut off.
(() => {
  const narrow = matchMedia("(max-width: 700px)");
  const widths = new WeakMap();

  const name = (table) => {
    const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    for (const row of [...table.tBodies].flatMap((body) => [...body.rows])) {
      if (row.cells.length !== names.length) continue;
      [...row.cells].forEach((cell, at) => {
        if (!at || !names[at]) return;
        cell.dataset.name = names[at];
        const value = document.createElement("span"); // one column beside the name, whatever it has
        value.append(...cell.childNodes);
        cell.append(value);
      });
    }
  };
  const fit = (box) => {
    const table = box.querySelector("table");
    table.classList.remove("stacked");
    table.classList.toggle("stacked", narrow.matches && box.scrollWidth > box.clientWidth);
  };

  // Only of another width: the height depends on what is done here.
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (widths.get(target) === target.clientWidth) continue;
      widths.set(target, target.clientWidth);
      fit(target);
    }
  });
  for (const box of document.querySelectorAll(".scroll:has(> table)")) {
    name(box.querySelector("table"));
    observer.observe(box);
  }
})();
