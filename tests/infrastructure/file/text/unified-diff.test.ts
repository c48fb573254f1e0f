import { expect } from 'chai';
import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { unifiedDiff } from '../../../../src/infrastructure/file/text/unified-diff.js';

const line = fc.constantFrom('a', 'b', 'c', '');
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ended]) => lines.join('\n') + (ended ? '\n' : ''));

describe('the diff of an edit', () => {
  it('leads from the one text to the other', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (head, before, after, tail) => {
        const [from, to] = [head + before + tail, head + after + tail];
        const patch = await unifiedDiff('f', from, to);
        expect(patch === '' ? from : applyPatch(from, patch)).to.equal(to);
      }),
      { numRuns: 300 },
    );
  });

  it('shows three lines around a change, and numbers them as the file does', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}\n`);
    const before = lines.join('');
    const after = before.replace('line 50\n', 'LINE 50\n');
    const shown = (await unifiedDiff('f', before, after)).split('\n');
    expect(shown.slice(shown.indexOf('--- f'))).to.deep.equal([
      '--- f',
      '+++ f',
      '@@ -47,7 +47,7 @@',
      ' line 47',
      ' line 48',
      ' line 49',
      '-line 50',
      '+LINE 50',
      ' line 51',
      ' line 52',
      ' line 53',
      '',
    ]);
  });

  it('shows a small change of a large text', async () => {
    const before = 'x\n'.repeat(8_000_000);
    const after = `${before}end\n`;
    expect(await unifiedDiff('f', before, after)).to.match(/@@ -\d+,3 \+\d+,4 @@\n x\n x\n x\n\+end\n$/);
  });

  it('says how much changed where comparing would take too long', async () => {
    const one = Array.from({ length: 60_000 }, (_, index) => `${index}`).join('\n');
    const other = Array.from({ length: 60_000 }, (_, index) => `${index}'`).join('\n');
    expect(await unifiedDiff('f', one, other)).to.include('from line 1 on were replaced by 60000');
    const large = 'y\n'.repeat(2_000_000);
    expect(await unifiedDiff('f', 'x\n'.repeat(2_000_000), large)).to.include('too much changed to show it');
  });
});
