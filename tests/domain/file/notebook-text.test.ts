import { expect } from 'chai';
import { describe, it } from 'mocha';
import { notebookText } from '../../../src/domain/file/notebook-text.js';

const notebook = (...cells: readonly object[]) => JSON.stringify({ cells, nbformat: 4 });

describe('notebookText', () => {
  it('shows sources, printed text and errors, and leaves out what is no text', () => {
    const outputs = [
      { output_type: 'stream', text: 'one\n' },
      { output_type: 'execute_result', data: { 'text/plain': ['42'], 'text/html': ['<b>42</b>'] } },
      { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } },
      { output_type: 'error', traceback: ['\u001b[31mValueError\u001b[0m', 'line 2'] },
    ];
    const code = { cell_type: 'code', execution_count: 3, source: 'x = 1', outputs };
    expect(notebookText(notebook({ cell_type: 'markdown', source: ['# A\n', 'b'] }, code))).to.deep.equal({
      text: '## [1] markdown\n# A\nb\n## [2] code, run 3\nx = 1\n## [2] output\none\n42\n<Figure>\n[image/png, 4 characters, left out]\nValueError\nline 2\n',
      cells: 2,
      leftOut: 1,
    });
  });
  it('takes nothing else for a notebook, and survives odd ones', () => {
    for (const text of ['', '{', '[]', '{"cells":1}', '"x"']) expect(notebookText(text)).to.equal(undefined);
    expect(notebookText(notebook({ source: 3, outputs: 'x' }, {}))?.cells).to.equal(2);
  });
});
