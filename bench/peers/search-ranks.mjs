// node search-ranks.mjs LIBRARY MODULES FOLDER QUERIES: the reciprocal rank at 10 of each query's answer, as JSON.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [library, modules, folder, queriesFile] = process.argv.slice(2);
const load = createRequire(join(modules, 'index.js'));
const RESULTS = 10;

const documents = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const title = /^title:\s*(.+)$/m.exec(text)?.[1] ?? /^#\s+(.+)$/m.exec(text)?.[1] ?? name;
    return { id: name, title, text };
  });

const SEARCHES = {
  minisearch: () => {
    const MiniSearch = load('minisearch');
    const index = new MiniSearch({
      fields: ['title', 'text'],
      searchOptions: { boost: { title: 3 }, fuzzy: 0.2, prefix: true },
    });
    index.addAll(documents);
    return (query) => index.search(query).map(({ id }) => id);
  },
  flexsearch: () => {
    const { Document, Charset } = load('flexsearch');
    const index = new Document({
      tokenize: 'forward',
      encoder: Charset.LatinBalance,
      document: { id: 'id', index: ['title', 'text'] },
    });
    for (const document of documents) index.add(document);
    return (query) => index.search(query, { limit: RESULTS, suggest: true, merge: true }).map(({ id }) => id);
  },
};

const search = SEARCHES[library]();
const ranks = JSON.parse(readFileSync(queriesFile, 'utf8')).map(({ query, answer }) => {
  const at = search(query).slice(0, RESULTS).indexOf(answer);
  return at === -1 ? 0 : 1 / (at + 1);
});
process.stdout.write(JSON.stringify(ranks));
