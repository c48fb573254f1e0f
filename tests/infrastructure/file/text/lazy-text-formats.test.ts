import { expect } from 'chai';
import { describe, it } from 'mocha';
import { LazyTextFormats } from '../../../../src/infrastructure/file/text/lazy-text-formats.js';

describe('LazyTextFormats', () => {
  const formats = new LazyTextFormats();
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  it('reads UTF-8, and UTF-16 by its mark whatever the caller thinks', async () => {
    const plain = await formats.decode(Buffer.from('grüß'));
    expect(plain.success && plain.value).to.deep.equal({ text: 'grüß', encoding: 'utf-8', bom: false });
    const marked = await formats.decode(Buffer.from('\uFEFFgrüß', 'utf16le'), 'utf-8');
    expect(marked.success && marked.value).to.deep.equal({
      text: '\uFEFFgrüß',
      encoding: 'utf-16le',
      bom: true,
    });
  });
  it('names the encoding that wrong bytes seem to have', async () => {
    const latin = Buffer.from('Die Größe der Bäume in den Gärten übertrifft jede Schätzung.', 'latin1');
    const wrong = await formats.decode(latin);
    expect(wrong.success ? '' : wrong.error).to.match(/iso-8859|windows-125/);
    const right = await formats.decode(latin, 'windows-1252');
    expect(right.success && right.value.text).to.contain('Größe');
  });
  it('tells Latin-1 and iso-8859-2 apart, and takes nothing for UTF-8 that is not', async () => {
    const western = [
      'café',
      'Le garçon a mangé une crêpe à la fête.',
      'El niño soñó',
      'Fläche: 3 m³',
      '// déjà vu',
    ];
    const central = ['Zażółć gęślą jaźń', 'Příliš žluťoučký kůň', 'Ľúbim ťa, môj milý'];
    for (const [encoding, texts] of [
      ['windows-1252', western],
      ['iso-8859-2', central],
    ] as const)
      for (const text of texts) {
        const encoded = await formats.encode(text, encoding);
        if (!encoded.success) expect.fail(encoded.error);
        const detected = await formats.detectEncoding(encoded.value);
        const decoded = await formats.decode(encoded.value, detected);
        expect(decoded.success && decoded.value.text, `${text} as ${detected}`).to.equal(text);
      }
    expect(await formats.detectEncoding(Buffer.from('plain'))).to.match(/ascii|utf-8/);
  });
  it('refuses an unknown encoding, and characters that an encoding does not have', async () => {
    expect((await formats.decode(Buffer.from('a'), 'klingon')).success).to.equal(false);
    expect((await formats.encode('a', 'klingon')).success).to.equal(false);
    const lossy = await formats.encode('日本', 'latin1');
    expect(lossy.success ? '' : lossy.error).to.contain('cannot hold');
  });
  it('writes what it reads', async () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'shift_jis']) {
      const text = encoding === 'shift_jis' ? '日本' : encoding.startsWith('utf') ? '\uFEFFgrüß 😀' : 'grüß';
      const bytes = await formats.encode(text, encoding);
      if (!bytes.success) throw new Error(bytes.error);
      const again = await formats.decode(bytes.value, encoding);
      expect(again.success && again.value.text, encoding).to.equal(text);
    }
  });
  it('tells text, images and other binaries apart', async () => {
    expect(await formats.probe(Buffer.from('plain'))).to.deep.equal({ kind: 'text' });
    expect(await formats.probe(Buffer.from('grüß'))).to.deep.equal({ kind: 'text' });
    expect(await formats.probe(Buffer.from(''))).to.deep.equal({ kind: 'text' });
    expect(await formats.probe(Buffer.from('\uFEFFa', 'utf16le'))).to.deep.equal({ kind: 'text' });
    expect(await formats.probe(PNG)).to.deep.equal({ kind: 'image', mimeType: 'image/png' });
    expect(await formats.probe(Buffer.from([0, 1, 2, 0, 255, 3]))).to.deep.equal({
      kind: 'binary',
      mimeType: 'application/octet-stream',
    });
  });
  it('shows a change as a unified diff', async () => {
    const diff = await formats.diff('a.txt', 'one\ntwo\n', 'one\n2\n');
    expect(diff).to.contain('--- a.txt').and.contain('-two').and.contain('+2');
    expect(await formats.diff('a.txt', 'x', 'x')).to.equal('');
  });
});
