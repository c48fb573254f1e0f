import { expect } from 'chai';
import { describe, it } from 'mocha';
import { withLeadIn } from '../../../src/presentation/answers/bare-json.js';

const GEMINI = { name: 'gemini-cli-mcp-client', version: '0.61.0' };
const OTHER = { name: 'claude-code', version: '2' };
const block = (text: string) => [{ type: 'text', text } as const];

describe('JSON as the first text of an answer', () => {
  for (const text of ['[1, 2]', '42\n', '-1', '"word"', 'null', 'true', ' [{"a":1}]'])
    it(`${JSON.stringify(text)} stands behind a lead-in for Gemini CLI, and alone for others`, () => {
      const [lead, ...rest] = withLeadIn(GEMINI, block(text));
      expect(lead).to.deep.include({ type: 'text', annotations: { audience: ['assistant'] } });
      expect(rest).to.deep.equal(block(text));
      expect(withLeadIn(OTHER, block(text))).to.deep.equal(block(text));
      expect(withLeadIn(undefined, block(text))).to.deep.equal(block(text));
    });

  for (const text of ['{"a":1}', '[1, 2', 'none', '12 files', '', 'tests pass'])
    it(`${JSON.stringify(text)} is left alone: it is an object or no JSON`, () => {
      expect(withLeadIn(GEMINI, block(text))).to.deep.equal(block(text));
    });
});
