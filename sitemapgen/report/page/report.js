/* The table of all URLs, with its filters. The charts: charts.js. */
"use strict";

(() => {
  // --- the table of all URLs

  const { tones, meanings, labels, formula, control } = JSON.parse($("#meanings").textContent);
  const origin = document.body.dataset.origin;
  const PAGE = 50;
  const SHOWN = [
    ["url", "URL"],
    ["verdict", "Status in the sitemap"],
    ["status", "HTTP status"],
    ["depth", "Clicks from start"],
    ["in_degree", "Links in"],
    ["in_sitemap", "In your sitemap"],
    ["lastmod", "lastmod"],
  ];
  const AMOUNTS = new Set(["status", "depth", "in_degree"]);
  const FLAGS = new Set(["in_sitemap", "reached", "rendered", "view", "dead_end"]);
  const LINKS = new Set(["url", "parent", "canonical", "duplicate_of"]);
  const NAMES = { verdict: "status in the sitemap", status: "HTTP status", depth: "clicks from start", in_degree: "links in", in_sitemap: "in your sitemap", reached: "reached by links", path: "under" };
  const DIRECTORIES = 100;

  const unpack = async () => {
    const block = $("#rows");
    const text = atob(block.textContent);
    block.remove();
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const lines = (await new Response(stream).text()).split("\n").filter(Boolean);
    const names = JSON.parse(lines[0]);
    const rows = [];
    for (const line of lines.slice(1)) {
      const columns = JSON.parse(line);
      for (let index = 0; index < columns[0].length; index += 1) rows.push(columns.map((column) => column[index]));
    }
    return { names, rows };
  };

  const whole = (url) => (url.startsWith("/") ? origin + url : url);
  const address = (url) => {
    const target = whole(url);
    const label = make("bdi", { text: clip(url, 200) });
    if (!/^https?:\/\//i.test(target)) return label;
    return make("a", { class: "url", href: target, target: "_blank", rel: "noopener noreferrer" }, label);
  };
  const badge = (verdict) =>
    make("span", { class: `badge ${tones[verdict] ?? "neutral"}`, title: `${verdict}: ${meanings[verdict] ?? ""}`, text: labels[verdict] ?? verdict });
  const yes = (flag) => (flag ? "yes" : "no");
  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text; // an address that somebody shortened
    }
  };

  // RFC 4180, as urls.csv: a cell that a spreadsheet would evaluate begins with an apostrophe.
  const FORMULA = new RegExp(`^(?:${formula})`, "u");
  const CONTROL = new RegExp(control, "gu");
  const csv = (value) => {
    if (typeof value !== "string") return value === null ? "" : String(value);
    const cell = (FORMULA.test(value) ? "'" : "") + value.replace(CONTROL, " ");
    return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  };
  const save = (name, text) => {
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  // A filter ">580" holds for larger numbers, "<50" for smaller ones.
  const fits = (cell, value) => {
    const number = Number(value.slice(1));
    return typeof cell === "number" && ((value[0] === ">" && cell > number) || (value[0] === "<" && cell < number));
  };

  const openTable = async () => {
    const root = $("#table");
    if (!root) return;
    const { names, rows } = await unpack();
    const at = Object.fromEntries(names.map((name, index) => [name, index]));
    const columns = SHOWN.filter(([name]) => name in at);
    const seen = Number(root.dataset.seen);
    const isReached = (cells) => cells[at.reached] !== 0;
    // The depth of a URL that no link reaches is its place in the queue, not a number of clicks.
    const known = (cells, id) => (id === "depth" && !isReached(cells) ? null : cells[at[id]]);
    let texts;
    const find = (row, _, wanted) => {
      texts ??= rows.map((cells) => [cells[at.url], cells[at.title], cells[at.evidence]].join("\n").toLowerCase());
      return texts[row.index].includes(wanted);
    };
    const table = window.table.create({
      data: rows,
      columns: names.map((name, index) => ({
        id: name,
        accessorFn: (cells) => (cells[index] === "" ? undefined : known(cells, name) ?? undefined),
        enableGlobalFilter: name === "url",
        sortUndefined: "last",
        sortFn: (one, other) => {
          const [a, b] = [one.original[index], other.original[index]];
          return a < b ? -1 : a > b ? 1 : 0;
        },
        filterFn: (row, _, { values, prefix }) => {
          const cell = row.original[index];
          return (!values || values.has(String(cell ?? "")) || [...values].some((value) => fits(cell, value))) && (!prefix || (cell ?? "").startsWith(prefix));
        },
      })),
      globalFilterFn: find,
      autoResetPageIndex: false,
      initialState: { pagination: { pageIndex: 0, pageSize: PAGE } },
    });

    // What is shown: values by column, a path, words. The address keeps it, so that it can be sent.
    let wanted = new Map();
    let search = "";

    const read = () => {
      wanted = new Map();
      search = "";
      const query = /^#urls\?(.*)$/s.exec(location.hash)?.[1] ?? "";
      for (const part of query.split("&").filter((part) => part.includes("="))) {
        const [name, value] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
        if (name === "search") search = decoded(value);
        else if (name === "path") wanted.set(name, new Set([decoded(value)]));
        else if (Object.hasOwn(at, name)) wanted.set(name, new Set(value.split(",").map(decoded)));
      }
    };
    const keep = (write) => {
      const parts = [...wanted].map(([name, values]) => `${name}=${[...values].map(encodeURIComponent).join(",")}`);
      if (search) parts.push(`search=${encodeURIComponent(search)}`);
      history[write](null, "", parts.length ? `#urls?${parts.join("&")}` : "#urls");
    };
    const apply = () => {
      const filters = [...wanted]
        .filter(([name]) => name !== "path")
        .map(([id, values]) => ({ id, value: { values } }));
      const prefix = [...(wanted.get("path") ?? [])][0];
      if (prefix) {
        filters.push({ id: "url", value: { prefix } });
      }
      table.setColumnFilters(filters);
      table.setGlobalFilter(search.toLowerCase());
      table.setPageIndex(0);
      render();
    };
    const change = (write = "pushState") => {
      keep(write);
      apply();
    };

    // The verdicts, to be ticked.
    const tally = new Map();
    for (const cells of rows) tally.set(cells[at.verdict], (tally.get(cells[at.verdict]) ?? 0) + 1);
    const menu = $("#verdicts");
    const ticks = Object.keys(meanings).filter((verdict) => tally.has(verdict)).map((verdict) => {
      const tick = make("input", { type: "checkbox", value: verdict });
      const line = make("label", {}, tick, badge(verdict), make("b", { text: count(tally.get(verdict)) }));
      $("fieldset", menu).append(line);
      tick.addEventListener("change", () => {
        const ticked = ticks.filter((box) => box.checked).map((box) => box.value);
        if (ticked.length) wanted.set("verdict", new Set(ticked));
        else wanted.delete("verdict");
        change();
      });
      return tick;
    });
    document.addEventListener("click", (event) => {
      if (menu.open && !menu.contains(event.target)) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && menu.open) {
        menu.open = false;
        $("summary", menu).focus();
      }
    });

    // Values of one column, to be chosen.
    const ALL = "[]";
    const tallied = (values) => {
      const counts = new Map();
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      return [...counts];
    };
    const directory = (cells) => (/^\/[^/?]+\//.exec(cells[at.url]) ?? [null])[0];
    const LISTS = {
      status: () =>
        tallied(rows.map((cells) => cells[at.status])).sort(([one], [other]) => (one ?? 1e9) - (other ?? 1e9)),
      path: () =>
        tallied(rows.map(directory).filter(Boolean))
          .sort(([, one], [, other]) => other - one)
          .slice(0, DIRECTORIES)
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      in_sitemap: () => tallied(rows.map((cells) => cells[at.in_sitemap])).sort(([one], [other]) => other - one),
    };
    const named = (column, value) =>
      FLAGS.has(column) ? yes(value === "1") : clip(value || (column === "status" ? "none" : "–"), 60);
    const choices = $$("select[data-column]", root).map((choice) => {
      const { column } = choice.dataset;
      choice.append(make("option", { value: ALL, text: "all" }));
      for (const [value, many] of LISTS[column]()) {
        const text = String(value ?? "");
        choice.append(make("option", { value: JSON.stringify([text]), text: `${named(column, text)} (${count(many)})` }));
      }
      choice.addEventListener("change", () => {
        if (choice.value === ALL) wanted.delete(column);
        else wanted.set(column, new Set(JSON.parse(choice.value)));
        change();
      });
      return choice;
    });
    const showChoices = () => {
      for (const choice of choices) {
        const { column } = choice.dataset;
        const values = [...(wanted.get(column) ?? [])];
        const value = JSON.stringify(values);
        if (![...choice.options].some((option) => option.value === value)) {
          choice.append(make("option", { value, text: values.map((each) => named(column, each)).join(", ") }));
        }
        choice.value = value;
      }
    };

    // Heads, to be sorted by; on a phone there are none, but a list of the same.
    const sorting = () => table.atoms.sorting.get()[0];
    const sort = (id, desc) => {
      table.setSorting(id ? [{ id, desc }] : []);
      table.setPageIndex(0);
      render();
    };
    const heads = columns.map(([id, name]) => {
      const button = make("button", { type: "button", text: name });
      const first = AMOUNTS.has(id) || FLAGS.has(id) || id === "lastmod";
      button.addEventListener("click", () => {
        const now = sorting();
        if (now?.id !== id) sort(id, first);
        else if (now.desc === first) sort(id, !first);
        else sort(null);
      });
      return make("th", { scope: "col", role: "columnheader", class: `${id}-cell${AMOUNTS.has(id) ? " amount" : ""}` }, button);
    });
    const all = $("#all");
    all.setAttribute("role", "table");
    $("thead", all).append(make("tr", { role: "row" }, ...heads));
    $("thead", all).setAttribute("role", "rowgroup");
    $("tbody", all).setAttribute("role", "rowgroup");
    const sorter = $("#sorter");
    for (const [id, name] of columns) {
      sorter.append(make("option", { value: `${id} up`, text: `${name}, ascending` }), make("option", { value: `${id} down`, text: `${name}, descending` }));
    }
    sorter.addEventListener("change", () => {
      const [id, direction] = sorter.value.split(" ");
      sort(id, direction === "down");
    });

    // Rows.
    const cell = (cells, id, name) => {
      const value = known(cells, id);
      if (id === "url") {
        const more = make("button", { type: "button", class: "more", "aria-expanded": "false", "aria-label": "All about this URL" });
        const head = make("th", { scope: "row", role: "rowheader" }, more, address(value));
        if (cells[at.title]) head.append(make("span", { class: "title" }, make("bdi", { text: clip(cells[at.title], 160) })));
        more.addEventListener("click", () => unfold(more, cells));
        return head;
      }
      const column = make("td", { role: "cell", "data-name": name, class: AMOUNTS.has(id) ? "amount" : "" });
      if (id === "verdict") {
        const evidence = make("bdi", { class: "evidence", text: clip((cells[at.evidence] ?? "").replaceAll(`${origin}/`, "/"), 240) });
        column.append(make("span", {}, badge(value), evidence));
      } else if (FLAGS.has(id)) column.append(make("span", { text: yes(value) }));
      else if (id === "lastmod") column.append(make("span", { text: (value || "–").slice(0, 10) }));
      else if (AMOUNTS.has(id)) column.append(make("span", { text: value === null ? "–" : id === "status" ? String(value) : count(value) }));
      else column.append(make("bdi", { text: clip(value ?? "–", 240) }));
      return column;
    };
    const unfold = (more, cells) => {
      const row = more.closest("tr");
      const isOpen = more.getAttribute("aria-expanded") === "true";
      more.setAttribute("aria-expanded", String(!isOpen));
      if (isOpen) {
        row.nextSibling.remove();
        return;
      }
      const list = make("dl");
      names.forEach((name, index) => {
        const value = known(cells, name);
        if (value === null || value === "") return;
        const said = LINKS.has(name) ? address(value) : FLAGS.has(name) ? yes(value) : make("bdi", { text: String(value) });
        list.append(make("dt", { text: NAMES[name] ?? name.replaceAll("_", " ") }), make("dd", {}, said));
      });
      row.after(make("tr", { class: "detail", role: "row" }, make("td", { colspan: columns.length, role: "cell" }, list)));
    };

    const chip = (words, remove) => {
      const button = make("button", { type: "button", "aria-label": `Remove the filter ${words}` }, make("bdi", { text: `${words} ✕` }));
      button.addEventListener("click", () => {
        remove();
        change();
        $("#urls-h").focus();
      });
      return make("li", {}, button);
    };
    const render = () => {
      const found = table.getFilteredRowModel().rows.length;
      const pages = Math.max(1, Math.ceil(found / PAGE));
      const index = table.atoms.pagination.get().pageIndex;
      const body = table.getRowModel().rows.map(({ original }) =>
        make("tr", { role: "row" }, ...columns.map(([id, name]) => cell(original, id, name))),
      );
      $("tbody", all).replaceChildren(...body);
      all.hidden = found === 0;
      $("#nothing").hidden = found > 0;
      $(".pager", root).hidden = pages === 1;
      $("#status").textContent =
        found === 0 ? `None of ${urls(rows.length)}`
        : `${count(index * PAGE + 1)}–${count(Math.min(found, (index + 1) * PAGE))} of ${urls(found)}` +
          (found < rows.length ? ` that ${found === 1 ? "fits" : "fit"}, of ${count(rows.length)}` : "") +
          (rows.length < seen ? `, the first of ${count(seen)}: the rest is in urls.csv` : "");
      $("#page").textContent = `Page ${count(index + 1)} of ${count(pages)}`;
      for (const button of $$(".pager button", root)) {
        button.disabled = /first|previous/.test(button.dataset.go) ? index === 0 : index >= pages - 1;
      }
      const now = sorting();
      columns.forEach(([id], number) => {
        if (now?.id === id) heads[number].setAttribute("aria-sort", now.desc ? "descending" : "ascending");
        else heads[number].removeAttribute("aria-sort");
      });
      if (now) sorter.value = `${now.id} ${now.desc ? "down" : "up"}`;
      showChoices();
      $("#download").hidden = found === 0;
      const verdicts = wanted.get("verdict");
      for (const tick of ticks) tick.checked = verdicts?.has(tick.value) ?? false;
      $("summary b", menu).textContent = !verdicts ? "all" : verdicts.size === 1 ? labels[[...verdicts][0]] ?? [...verdicts][0] : `${verdicts.size} of ${tally.size}`;
      const chips = [...wanted].map(([name, values]) => {
        const said = [...values].map((value) => (FLAGS.has(name) ? yes(value === "1") : name === "verdict" ? labels[value] ?? value : value || "none")).join(", ");
        return chip(`${NAMES[name] ?? name.replaceAll("_", " ")}: ${said}`, () => wanted.delete(name));
      });
      if (search) chips.push(chip(`search: ${search}`, () => { search = ""; $("#search").value = ""; }));
      $("#filters").replaceChildren(...chips);
      $("#filters").hidden = chips.length === 0;
    };

    let waiting;
    $("#search").addEventListener("input", (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        const before = search;
        search = event.target.value.trim();
        change(before && search ? "replaceState" : "pushState");
      }, 200);
    });
    $("#clear").addEventListener("click", () => {
      wanted.clear();
      search = "";
      $("#search").value = "";
      change();
      $("#urls-h").focus();
    });
    $("#download").addEventListener("click", () => {
      const lines = table.getPrePaginatedRowModel().rows.map(({ original }) =>
        names.map((name, index) => csv(LINKS.has(name) && original[index] ? whole(original[index]) : original[index])).join(","),
      );
      save(`${new URL(origin).hostname}-urls.csv`, `${[names.join(","), ...lines].join("\n")}\n`);
    });
    const go = {
      first: () => 0,
      previous: (index) => index - 1,
      next: (index) => index + 1,
      last: () => Math.ceil(table.getFilteredRowModel().rows.length / PAGE) - 1,
    };
    $(".pager", root).addEventListener("click", ({ target }) => {
      const where = go[target.dataset?.go];
      if (!where) return;
      table.setPageIndex(where(table.atoms.pagination.get().pageIndex));
      render();
      $("#urls").scrollIntoView();
      $("#urls-h").focus({ preventScroll: true });
    });

    // The filter is that of the address; another place of the page has none.
    const follow = () => {
      const had = wanted.size > 0 || search !== "";
      read();
      $("#search").value = search;
      if (had || wanted.size || search) apply();
      if (!/^#urls(\?|$)/.test(location.hash)) return;
      $("#urls").scrollIntoView();
      $("#urls-h").focus({ preventScroll: true });
    };
    addEventListener("hashchange", follow);
    root.hidden = false;
    render();
    follow();
  };

  // A link into the table; without this script it leads to its beginning.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-filter]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const parts = Object.entries(JSON.parse(link.dataset.filter)).map(
      ([name, values]) => `${name}=${values.map(encodeURIComponent).join(",")}`,
    );
    const target = `#urls?${parts.join("&")}`;
    if (location.hash === target) dispatchEvent(new HashChangeEvent("hashchange"));
    else location.hash = target;
  });

  const contents = $("main").previousElementSibling.querySelector("details");
  const wide = matchMedia("(min-width: 1080px)");
  const fold = () => { contents.open = wide.matches; };
  wide.addEventListener("change", fold);
  fold();

  // Topics are folded, except what the address leads to; on paper nothing is.
  const topics = $$(".topic");
  const reveal = () => {
    const id = location.hash.slice(1);
    for (let fold = id && document.getElementById(id)?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
    if (id && !id.startsWith("urls")) document.getElementById(id)?.scrollIntoView();
  };
  for (const topic of topics) topic.open = false;
  addEventListener("hashchange", reveal);
  reveal();

  let folded = [];
  const print = (on) => () => {
    if (on) folded = $$("main details:not([open])").filter((fold) => !fold.closest(".chart, #urls"));
    for (const fold of folded) fold.open = on;
  };
  addEventListener("beforeprint", print(true), true); // before the charts are drawn for it
  addEventListener("afterprint", print(false), true);

  requestAnimationFrame(() => setTimeout(() => {
    openTable().catch(() => {
      $("#status").textContent = "This browser cannot unpack the table; urls.csv beside this file has the same rows.";
      $("#table").hidden = false;
      document.documentElement.dataset.ready = "failed";
    }).then(() => { document.documentElement.dataset.ready ??= "yes"; });
  }));
})();
