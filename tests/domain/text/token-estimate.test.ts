import { expect } from 'chai';
import { getEncoding } from 'js-tiktoken';
import { describe, it } from 'mocha';
import { fittingLength } from '../../../src/domain/text/token-estimate.js';

const o200k = getEncoding('o200k_base');

const TEXTS: Readonly<Record<string, string>> = {
  prose: 'The order is checked before it leaves the house. ',
  code: 'export const order = { id: 17, next: (x: number) => x + 17 };\n',
  json: '  {\n    "id": 17,\n    "name": "order",\n    "price": 21.25\n  },\n',
  digits: '93842 17.25 2026-11-18 ',
  hex: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n',
  Chinese: '这是一个关于仓库与订单的故事，我们在这里记录每一天的工作。',
  Russian: 'Заказ проверен на складе и отправлен покупателю. ',
  Greek: 'Η παραγγελία ελέγχθηκε στην αποθήκη. ',
  emoji: '🚀🎉 ✅ 🔥🔥 done 🎯\n',
};

describe('how much of a text has so many tokens', () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    it(`is never a tenth too much for ${name}, and no less than two fifths`, () => {
      const whole = text.repeat(Math.ceil(30_000 / text.length));
      const tokens = o200k.encode(whole.slice(0, fittingLength(whole, 2_000))).length;
      expect(tokens).to.be.within(800, 2_200);
    });
  }

  it('is all of a text that fits', () => {
    expect(fittingLength('short', 2_000)).to.equal(5);
    expect(fittingLength('', 0)).to.equal(0);
  });
});
