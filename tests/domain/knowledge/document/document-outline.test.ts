import { expect } from 'chai';
import fc from 'fast-check';
import { outlineOf } from '../../../../src/domain/knowledge/document/document-outline.js';

const TEXT = `---
title: T
---
Before.

# One \`code\` #
text
## Two
\`\`\`md
# not a heading
\`\`\`
Setext
------
more
### [Three](x.md)
# One code
`;

describe('The outline of a document', () => {
  it('has every section with its path, level, line and anchor', () => {
    const { sections, frontMatter } = outlineOf(TEXT);
    expect(frontMatter).to.equal('title: T\n');
    expect(
      sections.map(({ path, level, line, anchor }) => [path.join('/'), level, line, anchor]),
    ).to.deep.equal([
      ['', 0, 4, ''],
      ['One code', 1, 6, 'one-code'],
      ['One code/Two', 2, 8, 'two'],
      ['One code/Setext', 2, 12, 'setext'],
      ['One code/Setext/Three', 3, 15, 'three'],
      ['One code', 1, 16, 'one-code-1'],
    ]);
  });

  it('covers the text behind the front matter without gap or overlap, whatever it is', () => {
    const piece = fc.constantFrom(
      '# a',
      '## b',
      '---',
      '===',
      '```',
      '~~~',
      'text',
      '',
      '\r',
      '\n',
      '\n',
      ' ',
      '\ufeff',
      '#',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('\n')),
        (text) => {
          const { sections, bodyStart } = outlineOf(text);
          let at = bodyStart;
          for (const { start, end } of sections) {
            expect(start).to.equal(at);
            at = end;
          }
          if (sections.length > 0) expect(at).to.equal(text.length);
        },
      ),
    );
  });

  it('knows both kinds of line ends and tables from headings', () => {
    const { sections } = outlineOf('# A\r\nx\r\n\r\n| a |\r\n|---|\r\n- item\n---\n');
    expect(sections.map(({ heading }) => heading)).to.deep.equal(['A']);
  });

  it('keeps a number of headings and says so', () => {
    const { sections, cut } = outlineOf('# h\n'.repeat(100_000));
    expect(cut).to.equal(true);
    expect(sections.length).to.be.within(1000, 10_000);
    expect(sections.at(-1)?.end).to.equal(400_000);
  });
});
