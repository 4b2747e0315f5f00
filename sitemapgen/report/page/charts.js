/* The charts of a page: each is drawn from a table, which stays its text alternative. */
"use strict";

const { $, $$, clip, count, make, urls } = (() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const count = (value) => value.toLocaleString("en-US");
  const urls = (value) => `${count(value)} ${value === 1 ? "URL" : "URLs"}`;
  const clip = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
  const make = (name, { text, ...attributes } = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    element.append(...children);
    return element;
  };
  return { $, $$, clip, count, make, urls };
})();

(() => {
  const figures = $$("figure.chart");
  let colours;

  const readColours = () => {
    const style = getComputedStyle(document.documentElement);
    colours = (name) => style.getPropertyValue(`--${name}`).trim();
  };
  const font = (colour = "muted") => ({ color: colours(colour), fontFamily: "system-ui, sans-serif", fontSize: 12 });
  const short = (value) => Intl.NumberFormat("en-US", { notation: "compact" }).format(value);
  const isNarrow = (figure) => figure.clientWidth < 500;
  const title = (head) => head.firstChild.textContent.trim();

  const tooltip = (lines) => {
    const box = make("div");
    for (const line of lines) box.append(make("div", { text: line }));
    return box;
  };
  const tip = () => ({
    confine: true,
    backgroundColor: colours("surface"),
    borderColor: colours("strong-line"),
    padding: [6, 10],
    textStyle: { ...font("text"), fontSize: 13 },
  });
  const base = (right = 12) => ({
    animation: false,
    aria: { enabled: false },
    grid: { left: 4, right, top: 14, bottom: 4, outerBoundsMode: "same", outerBoundsContain: "all" },
  });
  const axis = (name, gap) => ({
    name,
    nameLocation: "middle",
    nameGap: gap,
    nameTextStyle: font(),
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours("strong-line") } },
    axisLabel: { ...font(), hideOverlap: true },
    splitLine: { lineStyle: { color: colours("line") } },
  });

  // --- bars and columns: the first cell of a row is its label, heads with data-series its values

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
    return { unit: heads[0].textContent, labels: rows.map((row) => title(row.children[0])), series };
  };

  const fill = (number) => ({
    color: colours(`series-${number}`),
    decal:
      number === "2"
        ? { symbol: "rect", color: colours("surface"), dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: -Math.PI / 4 }
        : { symbol: "none" },
  });

  const shadow = () => ({ type: "shadow", shadowStyle: { color: colours("strong-line"), opacity: 0.15 } });
  const lines = (points) => points.map((point) => `${point.seriesName}: ${count(point.value)}`);

  const columns = (figure) => {
    const { unit, labels, series } = readTable(figure);
    return {
      ...base(),
      tooltip: {
        ...tip(),
        trigger: "axis",
        axisPointer: shadow(),
        formatter: (points) => tooltip([`${unit}: ${points[0].name}`, ...lines(points)]),
      },
      xAxis: { ...axis(unit, 26), type: "category", data: labels },
      yAxis: {
        ...axis("", 0),
        type: "value",
        minInterval: 1,
        splitNumber: isNarrow(figure) ? 3 : 5,
        axisLabel: { ...font(), formatter: short, hideOverlap: true },
      },
      series: series.map(({ number, name, data }) => ({
        type: "bar",
        name,
        data,
        stack: "all",
        barMaxWidth: 56,
        barCategoryGap: "28%",
        itemStyle: fill(number),
      })),
    };
  };

  const bars = (figure) => {
    const { labels, series } = readTable(figure);
    const [{ number, name, data }] = series;
    const widest = Math.max(...data.map((value) => count(value).length));
    return {
      ...base(16 + 8 * widest),
      tooltip: {
        ...tip(),
        trigger: "axis",
        axisPointer: shadow(),
        formatter: (points) => tooltip([points[0].name, ...lines(points)]),
      },
      xAxis: { type: "value", axisLabel: { show: false }, splitLine: { show: false } },
      yAxis: {
        ...axis("", 0),
        type: "category",
        data: labels,
        inverse: true,
        axisLabel: { ...font("text"), interval: 0, width: isNarrow(figure) ? 96 : 200, overflow: "break" },
      },
      series: [
        {
          type: "bar",
          name,
          data,
          barMaxWidth: 26,
          itemStyle: fill(number),
          label: { ...font("text"), show: true, position: "right", formatter: ({ value }) => count(value) },
        },
      ],
    };
  };

  // --- dots: heads with a data-name are the columns, and cells have their values

  const percent = (value) => `${Math.round(value * 1000) / 10}%`;
  const KINDS = {
    share: {
      scale: () => ({ type: "value", min: 0, max: 1, interval: 0.25 }),
      words: percent,
    },
    log: {
      scale: (most) => ({ type: "log", min: 1, max: 10 ** Math.max(1, Math.ceil(Math.log10(most))) }),
      words: short,
    },
  };

  const readDots = (figure) => {
    const { table, x, y, size } = figure.dataset;
    const root = table ? document.getElementById(table) : $("table", figure);
    const heads = $$("thead th", root);
    const place = (name) => heads.findIndex((head) => head.dataset.name === name);
    const places = [x, y, size].map(place);
    const dots = $$("tbody tr", root)
      .map((row) => ({
        name: row.dataset.label ?? title(row.children[0]),
        cells: places.map((index) => row.children[index].dataset.value),
      }))
      .filter(({ cells }) => !cells.includes(undefined))
      .map(({ name, cells }) => ({ name, value: cells.map(Number) }))
      .filter(({ value }) => figure.dataset.xKind !== "log" || value[0] > 0)
      .sort((one, other) => other.value[2] - one.value[2]);
    return { dots, names: places.slice(0, 2).map((index) => title(heads[index])) };
  };

  const dots = (figure) => {
    const { dots, names } = readDots(figure);
    const kinds = [figure.dataset.xKind, figure.dataset.yKind].map((kind) => KINDS[kind]);
    const most = (place) => Math.max(0, ...dots.map(({ value }) => value[place]));
    const scales = kinds.map((kind, place) => kind.scale(most(place)));
    const largest = Math.max(1, most(2));
    const along = (place, gap) => ({
      ...axis(names[place], gap),
      ...scales[place],
      axisLabel: { ...font(), formatter: kinds[place].words, hideOverlap: true },
    });
    const diagonal = {
      type: "line",
      data: [
        [0, 0],
        [scales[0].max, scales[1].max],
      ],
      symbol: "none",
      silent: true,
      lineStyle: { color: colours("strong-line"), type: "dashed", width: 1 },
    };
    return {
      ...base(22),
      tooltip: {
        ...tip(),
        formatter: ({ name, value }) =>
          tooltip([clip(name, 80), ...names.map((axis, place) => `${axis}: ${kinds[place].words(value[place])}`)]),
      },
      xAxis: along(0, 28),
      yAxis: along(1, 44),
      series: [
        {
          type: "scatter",
          data: dots,
          symbolSize: ([, , size]) => Math.max(8, 30 * Math.sqrt(size / largest)),
          itemStyle: { color: colours("series-1"), opacity: 0.7, borderColor: colours("surface"), borderWidth: 1 },
        },
        ...(figure.hasAttribute("data-diagonal") ? [diagonal] : []),
      ],
    };
  };

  // --- all of them

  const DRAW = { bars, columns, dots };

  const legend = (figure) => {
    const line = $(".legend", figure);
    const entries =
      figure.dataset.draw === "columns" ? readTable(figure).series.map(({ number, name }) => [`series-${number}`, name]) : [];
    line.replaceChildren(...entries.map(([name, words]) => make("span", {}, make("i", { class: name }), words)));
    line.hidden = entries.length < 2;
  };

  const draw = (figure) => {
    if (!figure.drawn) {
      figure.drawn = charts.init($(".canvas", figure), null, { renderer: "canvas" });
    }
    figure.wasNarrow = isNarrow(figure);
    figure.drawn.setOption(DRAW[figure.dataset.draw](figure), true);
  };
  const drawAll = () => {
    readColours();
    figures.forEach(draw);
  };
  const resize = (figure) => {
    if (!figure.clientWidth) return; // it is folded
    figure.drawn.resize();
    if (figure.wasNarrow !== isNarrow(figure)) draw(figure);
  };

  for (const figure of figures) {
    const canvas = $(".canvas", figure);
    canvas.hidden = false;
    if (figure.dataset.draw === "bars") canvas.style.height = `${$$("tbody tr", figure).length * 42 + 16}px`;
    legend(figure);
    for (const details of $$("details", figure)) details.open = false;
  }
  drawAll();
  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => resize(target.parentElement)));
  for (const figure of figures) resized.observe($(".canvas", figure));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  const print = (on) => () => {
    document.documentElement.classList.toggle("printing", on);
    drawAll();
    figures.forEach(resize);
  };
  addEventListener("beforeprint", print(true));
  addEventListener("afterprint", print(false));
  document.documentElement.dataset.charts = "drawn";
})();
