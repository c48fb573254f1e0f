import { expect } from 'chai';
import { AdrGraph } from '../../../src/domain/knowledge/adr/adr-graph.js';
import { parseAdr } from '../../../src/domain/knowledge/adr/adr-record.js';
import { positionOf } from '../../../src/domain/knowledge/adr/adr-stance.js';
import { normaliseStatus } from '../../../src/domain/knowledge/adr/adr-status.js';
import { alignProposal } from '../../../src/domain/knowledge/adr/alignment.js';
import { DecisionProposal } from '../../../src/domain/knowledge/adr/decision-proposal.js';
import { outlineOf } from '../../../src/domain/knowledge/document/document-outline.js';
import { importsIn } from '../../../src/domain/knowledge/pattern/code-imports.js';
import { detectLanguage } from '../../../src/domain/knowledge/pattern/code-language.js';
import { guessViolations } from '../../../src/domain/knowledge/pattern/pattern-heuristics.js';
import { slotValues } from '../../../src/domain/prompt/prompt.js';
import { parseTemplate } from '../../../src/domain/prompt/prompt-template.js';
import { readMarkdown } from '../../../src/infrastructure/knowledge/markdown-reader.js';

/** Pieces of which a long text makes a careless expression look at the same characters again and again. */
const PIECES: Readonly<Record<string, string>> = {
  spaces: ' ',
  'line ends': '\n',
  'blank lines': ' \n',
  tabs: '\t',
  'opening brackets': '(',
  'square brackets': '[',
  'closing brackets': ')',
  stars: '*',
  'stars and spaces': '* ',
  dashes: '-',
  hashes: '# ',
  'dotted names': 'a.a.a.',
  'opened comments': '<!-- ',
  fences: '```\n',
  quotes: '"\'',
  'half placeholders': '{{ ',
  'ends of placeholders': ' }}',
  'half imports': 'import a ',
  'half functions': 'def f()',
  'half generics': 'public A<',
  ends: 'end\ndef x\n',
  negations: 'not without ',
  'commas and ands': ', and we ',
  'moves and places': 'move to from ',
  figures: '1 a ',
  options: 'kafka ',
  links: '[a](b',
  'chosen options': 'chosen option (',
};

const OPENINGS = [
  '',
  '# ',
  '# 1. A\n\n## Status\n\nAccepted ',
  '# A\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use Kafka ',
];
const CODE_OPENINGS = ['', 'class A:\n', 'def f(', 'import '];

const JUDGED = [
  '# 1. B\n\n## Status\n\nAccepted\n\n## Decision\n\nNo service may call a bank directly.\n',
].map((text) =>
  positionOf(
    parseAdr({ text, title: '1. B', frontMatter: {}, outline: outlineOf(text), path: '1.md', uri: 'x' }),
  ),
);
const PROMPT = {
  name: 'p',
  description: 'P.',
  arguments: [{ name: 'arg1', description: '', required: false }],
  messages: [],
  examples: [],
};

function adr(text: string): void {
  const outline = outlineOf(text);
  const record = parseAdr({ text, title: 'A', frontMatter: {}, outline, path: '0001-a.md', uri: 'x' });
  const position = positionOf(record);
  alignProposal(new DecisionProposal('Use RabbitMQ.'), [position], new AdrGraph([record]));
}

const READERS: Readonly<Record<string, { openings: readonly string[]; read(text: string): unknown }>> = {
  'a decision record': { openings: OPENINGS, read: adr },
  'a status': { openings: ['', 'Accepted '], read: normaliseStatus },
  'an outline': { openings: OPENINGS, read: outlineOf },
  'a document with front matter': {
    openings: ['---\na: x'],
    read: (text) => readMarkdown('a.md', `${text}\n---\n`),
  },
  'the language of code': { openings: CODE_OPENINGS, read: detectLanguage },
  'imports of a script': { openings: CODE_OPENINGS, read: (code) => importsIn(code, 'typescript') },
  'imports of Python': { openings: CODE_OPENINGS, read: (code) => importsIn(code, 'python') },
  'prose of a pattern': { openings: ['', 'Never use `x`. '], read: (text) => guessViolations(text, 'code') },
  'a template': { openings: ['', '{{'], read: parseTemplate },
  'values of slots': { openings: ['', '"'], read: (args) => slotValues(PROMPT, { args }) },
};

/** Milliseconds of the processor, the best of a few: what a busy machine adds is no part of it. */
async function cost(read: (text: string) => unknown, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const started = process.cpuUsage();
    await read(text);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1000);
    if (best < 2) break;
  }
  return best;
}

describe('Expressions over texts that somebody else wrote', () => {
  const size = process.env.CASTELLAN_LONG === '1' ? 256 * 1024 : 16 * 1024;

  for (const [what, { openings, read }] of Object.entries(READERS)) {
    it(`read ${what} in time that grows with its length`, async () => {
      for (const opening of openings) {
        for (const [name, piece] of Object.entries(PIECES)) {
          const text = (length: number) => opening + piece.repeat(Math.ceil(length / piece.length));
          const small = await cost(read, text(size));
          const large = await cost(read, text(4 * size));
          // Four times the text may take four times as long; its square would take sixteen times.
          expect(
            large,
            `${name} behind ${JSON.stringify(opening)}: ${small} ms, then ${large} ms`,
          ).to.be.below(10 * small + 40);
        }
      }
    });
  }

  it('read a proposal of the greatest length that is allowed, whatever it holds', async () => {
    const graph = new AdrGraph(JUDGED.map(({ record }) => record));
    const judge = (text: string) => alignProposal(new DecisionProposal(text), JUDGED, graph);
    for (const [name, piece] of Object.entries(PIECES)) {
      const text = (length: number) => `Use ${piece.repeat(Math.ceil(length / piece.length))}`;
      const small = await cost(judge, text(1250));
      const large = await cost(judge, text(5000));
      expect(large, `${name}: ${small} ms, then ${large} ms`).to.be.below(10 * small + 40);
    }
  });
});
