/* What the page does once it is read: charts out of its tables, and the table of all URLs. */
"use strict";

(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const count = (value) => value.toLocaleString("en-US");
  const urls = (value) => `${count(value)} ${value === 1 ? "URL" : "URLs"}`;
  const make = (name, { text, ...attributes } = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    element.append(...children);
    return element;
  };

  // --- charts: each is drawn from the table below it, which stays its text alternative

  const figures = $$("figure.chart");
  let colours;

  const readColours = () => {
    const style = getComputedStyle(document.documentElement);
    colours = (name) => style.getPropertyValue(`--${name}`).trim();
  };
  const font = () => ({ color: colours("muted"), fontFamily: "system-ui, sans-serif", fontSize: 12 });
  const short = (value) => Intl.NumberFormat("en-US", { notation: "compact" }).format(value);
  const clip = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

  const readTable = (figure) => {
    const table = $("table", figure);
    const heads = $$("thead th", table);
    const rows = $$("tbody tr", table);
    const series = heads
      .map((head, index) => ({ index, number: head.dataset.series, name: head.textContent }))
      .filter(({ number }) => number)
      .map(({ index, number, name }) => ({
        number,
        name,
        data: rows.map((row) => Number(row.children[index].dataset.value)),
      }));
    const labels = rows.map((row) => row.children[0].firstChild.textContent.trim());
    return { axis: heads[0].textContent, labels, series };
  };

  const tooltip = (lines) => {
    const box = make("div");
    for (const line of lines) box.append(make("div", { text: line }));
    return box;
  };
  const tip = () => ({
    confine: true,
    appendTo: undefined,
    backgroundColor: colours("surface"),
    borderColor: colours("strong-line"),
    padding: [6, 10],
    textStyle: { ...font(), color: colours("text"), fontSize: 13 },
  });

  const bars = (figure, { horizontal }) => {
    const { axis, labels, series } = readTable(figure);
    const narrow = figure.clientWidth < 500;
    const categories = {
      type: "category",
      data: labels,
      inverse: horizontal,
      name: horizontal ? "" : axis,
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: font(),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colours("strong-line") } },
      axisLabel: { ...font(), hideOverlap: true, width: narrow ? 90 : 180, overflow: horizontal ? "truncate" : "none" },
    };
    const values = {
      type: "value",
      minInterval: 1,
      splitNumber: narrow ? 3 : 5,
      axisLabel: { ...font(), formatter: short, hideOverlap: true, show: !horizontal },
      splitLine: { show: !horizontal, lineStyle: { color: colours("line") } },
    };
    return {
      animation: false,
      aria: { enabled: false },
      grid: { left: 8, right: horizontal ? 64 : 8, top: 12, bottom: horizontal ? 4 : 24, containLabel: true },
      tooltip: {
        ...tip(),
        trigger: "axis",
        axisPointer: { type: "shadow", shadowStyle: { color: colours("strong-line"), opacity: 0.15 } },
        formatter: (points) =>
          tooltip([
            horizontal ? points[0].name : `${axis}: ${points[0].name}`,
            ...points.map((point) => `${point.seriesName}: ${count(point.value)}`),
          ]),
      },
      xAxis: horizontal ? values : categories,
      yAxis: horizontal ? categories : values,
      series: series.map(({ number, name, data }) => ({
        type: "bar",
        name,
        data,
        stack: "all",
        barMaxWidth: horizontal ? 26 : 56,
        barMinHeight: 0,
        barCategoryGap: "28%",
        itemStyle: {
          color: colours(`series-${number}`),
          decal:
            number === "2"
              ? { symbol: "rect", color: colours("surface"), dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 }
              : { symbol: "none" },
        },
        label: {
          ...font(),
          show: horizontal,
          position: "right",
          color: colours("text"),
          formatter: ({ value }) => count(value),
        },
      })),
    };
  };

  const shades = [
    ["map-1", 0.9, "nine of ten or more are listed"],
    ["map-2", 0.5, "half or more"],
    ["map-3", 0, "fewer"],
  ];

  const boxes = (figure) => {
    const box = (name, urls, listed) => {
      const share = listed / urls;
      const colour = colours(shades.find(([, least]) => share >= least)[0]);
      return { name, value: urls, listed, itemStyle: { color: colour } };
    };
    const path = [];
    for (const row of $$("tbody tr[data-path]", figure)) {
      const [level, urls, listed] = ["level", "urls", "listed"].map((key) => Number(row.dataset[key]));
      const [directories, moreUrls, moreListed] = row.dataset.more.split(",").map(Number);
      const parent = path[level - 1];
      const above = parent ? parent.path : "";
      const name = row.dataset.path.slice(above.length) || "/";
      const node = { ...box(name, urls, listed), path: row.dataset.path, own: [urls, listed], children: [] };
      if (parent) {
        parent.children.push(node);
        parent.own[0] -= urls;
        parent.own[1] -= listed;
      }
      if (moreUrls) {
        node.children.push(box(`${count(directories)} more`, moreUrls, moreListed));
        node.own[0] -= moreUrls;
        node.own[1] -= moreListed;
      }
      path.length = level;
      path[level] = node;
    }
    const close = (node) => {
      if (node.children.length && node.own[0] > 0) node.children.push(box("in this directory", ...node.own));
      for (const child of node.children) if (child.own) close(child);
    };
    close(path[0]);
    const white = { color: "#fff", fontFamily: "system-ui, sans-serif", fontSize: 12 };
    const share = ({ listed, value }) => `${Math.floor((100 * listed) / value)}% listed`;
    return {
      animationDurationUpdate: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 300,
      animation: true,
      animationDuration: 0,
      tooltip: {
        ...tip(),
        formatter: ({ data }) =>
          tooltip([clip(data.path || data.name, 80), `${urls(data.value)}, ${data.listed ? count(data.listed) : "none"} of them listed`]),
      },
      series: [
        {
          type: "treemap",
          name: "/",
          data: path[0].children,
          left: 0,
          right: 0,
          top: 0,
          bottom: 34,
          roam: false,
          leafDepth: 2,
          drillDownIcon: "",
          nodeClick: "zoomToNode",
          visibleMin: 20,
          label: {
            ...white,
            overflow: "truncate",
            lineHeight: 16,
            formatter: ({ data }) => `${clip(data.name, 60)}\n${count(data.value)}, ${share(data)}`,
          },
          upperLabel: {
            ...font(),
            color: colours("text"),
            fontWeight: 600,
            show: true,
            height: 26,
            overflow: "truncate",
            formatter: ({ data }) => `${clip(data.name ?? "", 60)}  ${count(data.value ?? 0)}`,
          },
          levels: [{ itemStyle: { borderWidth: 0, gapWidth: 4, borderColor: colours("surface") }, upperLabel: { show: false } }],
          itemStyle: { gapWidth: 1, borderWidth: 2, borderColor: colours("line") },
          emphasis: { itemStyle: { borderColor: colours("strong-line") }, upperLabel: { color: colours("text") } },
          breadcrumb: {
            left: 0,
            bottom: 2,
            height: 24,
            itemStyle: { color: colours("raised"), borderColor: colours("strong-line"), borderWidth: 1, textStyle: { ...font(), color: colours("text") } },
            emphasis: { itemStyle: { color: colours("accent-soft"), textStyle: { color: colours("text") } } },
          },
        },
      ],
    };
  };

  const legend = (figure) => {
    const line = $(".legend", figure);
    const entries =
      figure.dataset.draw === "tree"
        ? shades.map(([name, , words]) => [name, words])
        : readTable(figure).series.map(({ number, name }) => [`series-${number}`, name]);
    line.replaceChildren(...entries.map(([name, words]) => make("span", {}, make("i", { class: name }), words)));
    line.hidden = entries.length < 2;
  };

  const draw = (figure) => {
    const kind = figure.dataset.draw;
    const canvas = $(".canvas", figure);
    const chart = (figure.drawn ??= charts.init(canvas, null, { renderer: "canvas" }));
    chart.setOption(kind === "tree" ? boxes(figure) : bars(figure, { horizontal: kind === "bars" }), true);
  };

  const drawAll = () => {
    readColours();
    figures.forEach(draw);
  };

  const openCharts = () => {
    for (const figure of figures) {
      const canvas = $(".canvas", figure);
      canvas.hidden = false;
      if (figure.dataset.draw === "bars") {
        canvas.style.height = `${$$("tbody tr", figure).length * 38 + 16}px`;
      }
      legend(figure);
      $("details", figure).open = figure.closest("#funnel") !== null;
    }
    drawAll();
    const resized = new ResizeObserver((entries) => {
      for (const { target } of entries) target.parentElement.drawn?.resize();
    });
    for (const figure of figures) resized.observe($(".canvas", figure));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
    const print = (on) => () => {
      document.documentElement.classList.toggle("printing", on);
      for (const rest of $$("#priorities details")) rest.open = on;
      drawAll();
      for (const figure of figures) figure.drawn.resize();
    };
    addEventListener("beforeprint", print(true));
    addEventListener("afterprint", print(false));
  };

  // --- the table of all URLs

  const { tones, meanings } = JSON.parse($("#meanings").textContent);
  const origin = document.body.dataset.origin;
  const PAGE = 50;
  const SHOWN = [
    ["url", "URL"],
    ["verdict", "Verdict"],
    ["status", "Status"],
    ["depth", "Depth"],
    ["in_degree", "Links in"],
    ["in_sitemap", "In sitemap"],
    ["lastmod", "lastmod"],
  ];
  const AMOUNTS = new Set(["status", "depth", "in_degree"]);
  const FLAGS = new Set(["in_sitemap", "reached"]);
  const LINKS = new Set(["url", "parent", "canonical"]);
  const NAMES = { in_degree: "links in", in_sitemap: "in a sitemap", reached: "reached by links", path: "under" };

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
    make("span", { class: `badge ${tones[verdict] ?? "neutral"}`, title: meanings[verdict] ?? "", text: verdict });
  const yes = (flag) => (flag ? "yes" : "no");

  const openTable = async () => {
    const root = $("#table");
    if (!root) return;
    const { names, rows } = await unpack();
    const at = Object.fromEntries(names.map((name, index) => [name, index]));
    const columns = SHOWN.filter(([name]) => name in at);
    let texts;
    const find = (row, _, wanted) => {
      texts ??= rows.map((cells) => [cells[at.url], cells[at.title], cells[at.evidence]].join("\n").toLowerCase());
      return texts[row.index].includes(wanted);
    };
    const table = window.table.create({
      data: rows,
      columns: names.map((name, index) => ({
        id: name,
        accessorFn: (cells) => (cells[index] === "" ? undefined : cells[index] ?? undefined),
        enableGlobalFilter: name === "url",
        sortUndefined: "last",
        sortFn: (one, other) => {
          const [a, b] = [one.original[index], other.original[index]];
          return a < b ? -1 : a > b ? 1 : 0;
        },
        filterFn: (row, _, { values, prefix }) => {
          const cell = row.original[index];
          return (!values || values.has(String(cell ?? ""))) && (!prefix || (cell ?? "").startsWith(prefix));
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
      const [, query] = location.hash.split("?");
      for (const part of (query ?? "").split("&").filter(Boolean)) {
        const [name, value] = [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)];
        if (name === "search") search = decodeURIComponent(value);
        else if (name === "path") wanted.set(name, new Set([decodeURIComponent(value)]));
        else if (name in at) wanted.set(name, new Set(value.split(",").map(decodeURIComponent)));
      }
    };
    const keep = () => {
      const parts = [...wanted].map(([name, values]) => `${name}=${[...values].map(encodeURIComponent).join(",")}`);
      if (search) parts.push(`search=${encodeURIComponent(search)}`);
      history.replaceState(null, "", parts.length ? `#urls?${parts.join("&")}` : "#urls");
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
    const change = () => {
      keep();
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
      const value = cells[at[id]];
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
        const value = cells[index];
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
          (found < rows.length ? ` that ${found === 1 ? "fits" : "fit"}, of ${count(rows.length)}` : "");
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
      const verdicts = wanted.get("verdict");
      for (const tick of ticks) tick.checked = verdicts?.has(tick.value) ?? false;
      $("summary b", menu).textContent = !verdicts ? "all" : verdicts.size === 1 ? [...verdicts][0] : `${verdicts.size} of ${tally.size}`;
      const chips = [...wanted].map(([name, values]) => {
        const said = [...values].map((value) => (FLAGS.has(name) ? yes(value === "1") : value || "none")).join(", ");
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
        search = event.target.value.trim();
        change();
      }, 200);
    });
    $("#clear").addEventListener("click", () => {
      wanted.clear();
      search = "";
      $("#search").value = "";
      change();
      $("#urls-h").focus();
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

    const follow = () => {
      if (!/^#urls(\?|$)/.test(location.hash)) return;
      read();
      $("#search").value = search;
      apply();
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

  openCharts();
  requestAnimationFrame(() => setTimeout(() => {
    openTable().catch(() => {
      $("#status").textContent = "This browser cannot unpack the table; urls.csv beside this file has the same rows.";
      $("#table").hidden = false;
      document.documentElement.dataset.ready = "failed";
    }).then(() => { document.documentElement.dataset.ready ??= "yes"; });
  }));
})();
