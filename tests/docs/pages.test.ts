import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { describe, it } from 'mocha';

const root = resolve(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('template'))
    .map((name) => join('docs', name)),
];
/** Written by hand and for people who do or learn something: how each of them must read. */
const PLAIN = PAGES.filter((page) =>
  /^(?:README\.md|docs\/README\.md|docs\/(?:tutorial|how-to)\/)/.test(page),
);
const MOST_WORDS = 1_200;
const LONGEST_SENTENCE = 35;
const LONGEST_PARAGRAPH = 120;

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** Without blocks of code, tables and headings. */
function paragraphsOf(text: string): readonly string[] {
  return text
    .replaceAll(/```[\s\S]*?```/g, '')
    .split(/\n\s*\n/)
    .flatMap((part) => (/^\s*[-*\d]/.test(part) ? part.split('\n') : [part]))
    .filter((part) => part.trim() !== '' && !/^[|#!<]/.test(part.trim()));
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => /\w/.test(word));

/** As GitHub names a heading in an address. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('the pages', () => {
  it('link to files and headings that are there', () => {
    const wrong = PAGES.flatMap((page) =>
      [
        ...textOf(page).matchAll(/\]\((?!https?:|mailto:|vscode:|cursor:)([^)#\s]*)(?:#([^)\s]*))?\)/g),
      ].flatMap(([link, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return [`${page}: ${link}`];
        if (anchor === undefined || !target.endsWith('.md')) return [];
        return anchorsOf(textOf(target)).has(anchor) ? [] : [`${page}: ${link}`];
      }),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('are all found from the index', () => {
    const index = textOf('docs/README.md');
    const missing = PAGES.filter((page) =>
      /^docs\/(?:tutorial|how-to|reference|explanation)\//.test(page),
    ).filter((page) => !index.includes(`(${page.slice('docs/'.length)})`));
    expect(missing).to.deep.equal([]);
  });

  for (const page of PLAIN)
    it(`${page} has short sentences and paragraphs, and one purpose`, () => {
      const paragraphs = paragraphsOf(textOf(page));
      const sentences = paragraphs.flatMap((part) => part.split(/(?<=[.!?:;])\s+/));
      expect(wordsOf(textOf(page)).length).to.be.at.most(MOST_WORDS);
      expect(sentences.filter((one) => wordsOf(one).length > LONGEST_SENTENCE)).to.deep.equal([]);
      expect(paragraphs.filter((one) => wordsOf(one).length > LONGEST_PARAGRAPH)).to.deep.equal([]);
    });
});
