/** The site's sides. The search: reads the list of all sections once, and shows those that have every word. */
const MOST = 12;
const field = document.querySelector("#search");
const list = document.querySelector("#found");
const base = field.dataset.base;
let sections;

async function load() {
  sections ??= await (await fetch(`${base}search.json`)).json();
}

/** How well a section fits: words in its heading count more than in its text; 0 if one is missing. */
function rank({ heading, title, text }, words) {
  let sum = 0;
  for (const word of words) {
    if (heading.toLowerCase().includes(word)) sum += 4;
    else if (title.toLowerCase().includes(word)) sum += 2;
    else if (text.toLowerCase().includes(word)) sum += 1;
    else return 0;
  }
  return sum;
}

async function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return list.replaceChildren();
  await load();
  const found = sections.map((section) => ({ section, rank: rank(section, words) }))
    .filter((one) => one.rank > 0).sort((a, b) => b.rank - a.rank).slice(0, MOST);
  list.replaceChildren(...found.map(({ section }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = base + section.address;
    link.textContent = section.heading === section.title
      ? section.title
      : `${section.title}: ${section.heading}`;
    item.append(link);
    return item;
  }));
  if (found.length === 0) {
    list.append(Object.assign(document.createElement("li"), { textContent: "Nothing found" }));
  }
}

// A narrow window shows the page first.
const isWide = matchMedia("(min-width: 60rem)").matches;
document.querySelector("details.pages").open = isWide;
for (const table of document.querySelectorAll("details.long")) table.open = isWide;
field.addEventListener("focus", load, { once: true });
field.addEventListener("input", show);
