import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { ToolDefinition } from '../../../src/application/tool/tool-definition.js';
import { isJsonObject } from '../../../src/domain/json-value.js';
import { settingsJsonSchema } from '../../../src/infrastructure/config/settings-file-schema.js';
import { policyJsonSchema } from '../../../src/infrastructure/policy/schema/policy-file-schema.js';
import { builtinTools } from '../../../src/presentation/tools/builtin-tools.js';

/** Every key of a schema, however deep. */
function keysOf(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (!isJsonObject(schema)) return [];
  const own = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(keysOf)];
}

const KEYS = new Set([...keysOf(policyJsonSchema()), ...keysOf(settingsJsonSchema())]);

/** What a note must speak of if it says more than "None": words that no empty assurance has. */
const SUBJECTS = {
  files: /\bpolicy (?:allows|names)|\bcategor(?:y|ies)\b|\bflag store\b|\bsettings\b|\bsandbox\b/,
  network: /\bhosts?\b|`network|\bRedis\b/,
  execution: /\bprograms?\b|\bis typed\b/,
  changes: /`consent|\bexplicit_action\b|\bversion control\b|\bis lost\b/,
  secrets:
    /\bsecrets?\b|\baudit log\b|\bmust not (?:learn|probe)\b|\bpolicy (?:hides|could allow)\b|\b[Pp]rotected\b|\bnot its content\b|\bmay not be read\b|\btokens\b/,
} as const;

/** What keeps a tool in bounds. */
const BOUND =
  /^Needs to read\b|\bpolicy\b|\bsandbox\b|\bonly\b|\bnever\b|\bnot kept\b|\bno (?:document|other)\b|\bwithin\b/;

const notesOf = (definition: ToolDefinition) => {
  const notes = definition.specification?.security;
  if (notes === undefined) throw new Error(`${definition.name} has no notes`);
  return notes;
};

/** What the first example of the tool asks the policy for. */
const asks = ({ permissions, examples }: ToolDefinition): ReadonlySet<string> =>
  new Set(permissions?.(examples[0]?.arguments ?? {}, {}).map(({ kind }) => kind));

describe('the security notes of every tool', () => {
  for (const definition of builtinTools) {
    const { name, security, input, output } = definition;
    it(`S2-11: ${name}: every note speaks of its subject, and says what keeps the tool in bounds`, () => {
      const notes = notesOf(definition);
      for (const [subject, about] of Object.entries(SUBJECTS)) {
        const words = Object.entries(notes).find(([key]) => key === subject)?.[1] ?? '';
        if (!/^None\b/.test(words)) expect(words, subject).to.match(about);
        else if (words.length > 30)
          expect(words, subject).to.match(/^None(?:: | (?:for|that|in) |; but |, unless )/);
      }
      expect(security).to.match(BOUND);
    });

    it(`S2-11: ${name}: whatever key a note tells the reader to set exists`, () => {
      const own = new Set([...keysOf(input), ...keysOf(output)]);
      for (const [, code = ''] of Object.values(notesOf(definition))
        .join('\n')
        .matchAll(/`([^`]+)`/g))
        for (const [word] of code.replaceAll(/: (?:\[.*?\]|[\w.]+)/g, '').matchAll(/[a-z]\w+/g))
          if (!code.startsWith('castellan ')) expect(KEYS.has(word) || own.has(word), code).to.equal(true);
    });

    it(`S2-11: ${name}: the note on files says what it asks the policy for`, () => {
      const { files, network, execution } = notesOf(definition);
      const asked = asks(definition);
      if (asked.has('write-path')) expect(files).to.match(/^(?:Changes|Writes|Removes)\b/);
      else if (asked.has('read-path')) expect(files).to.match(/^Reads\b/);
      if (asked.has('run-command')) expect(execution).to.match(/^Runs programs\b/);
      if (asked.has('reach-host')) expect(network).not.to.match(/^None\b/);
    });
  }

  it('S2-11: say so of every tool that reads, writes or runs something', () => {
    const kinds = builtinTools.flatMap((definition) => [...asks(definition)]);
    expect(new Set(kinds)).to.include.keys('read-path', 'write-path', 'run-command');
    expect(kinds.length).to.be.above(12);
  });
});
