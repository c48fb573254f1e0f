import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { OutputRing, shareBudget } from '../../../../src/infrastructure/command/process/command-output.js';

describe('OutputRing', () => {
  it('returns a short output whole', () => {
    const ring = new OutputRing(100);
    ring.write(Buffer.from('héllo '));
    ring.write(Buffer.from('wörld'));
    expect(ring.render(100)).to.deep.equal({ text: 'héllo wörld', cut: 0 });
  });

  it('keeps the head and the tail of anything longer, whatever the chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 40 }),
        fc.integer({ min: 2, max: 64 }),
        (chunks, capacity) => {
          const ring = new OutputRing(capacity);
          const ascii = chunks.map((chunk) => Buffer.from(chunk.map((byte) => 97 + (byte % 26))));
          for (const chunk of ascii) ring.write(chunk);
          const whole = Buffer.concat(ascii).toString();
          const { text, cut } = ring.render(capacity);
          if (cut === 0) return text === whole;
          const [head = '', tail = ''] = text.split(/\n\[… \d+ bytes cut …\]\n/);
          return (
            whole.startsWith(head) && whole.endsWith(tail) && head.length + tail.length + cut === whole.length
          );
        },
      ),
    );
  });

  it('never cuts a character in two', () => {
    const whole = '€ä😀'.repeat(50);
    for (let budget = 1; budget < 60; budget += 1) {
      const ring = new OutputRing(60);
      ring.write(Buffer.from(whole));
      expect(ring.render(budget).text).not.to.include('\uFFFD');
    }
  });

  it('cuts to a smaller budget than it kept', () => {
    const ring = new OutputRing(1000);
    ring.write(Buffer.from('x'.repeat(500)));
    const { text, cut } = ring.render(100);
    expect(cut).to.equal(400);
    expect(text).to.include('[… 400 bytes cut …]');
  });
});

describe('shareBudget', () => {
  it('gives one stream what the other does not need, and never more than there is', () => {
    expect(shareBudget(100, 10, 20)).to.deep.equal([10, 20]);
    expect(shareBudget(100, 500, 10)).to.deep.equal([90, 10]);
    expect(shareBudget(100, 10, 500)).to.deep.equal([10, 90]);
    expect(shareBudget(101, 500, 500)).to.deep.equal([50, 51]);
  });
});
