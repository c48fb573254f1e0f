import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { drawPicture, type Picture } from '../../../scripts/pictures/picture.js';
import { PICTURES } from '../../../scripts/pictures/pictures.js';

const small: Picture = {
  title: 'A & B',
  columns: 2,
  boxes: {
    a: { row: 0, column: 0, lines: ['<A>'] },
    b: { row: 0, column: 1, kind: 'bad', lines: ['B', 'more'] },
  },
  arrows: [{ from: 'a', to: 'b', label: 'goes' }],
};

describe('pictures', () => {
  it('are drawn as they are described (npm run reference writes them)', () => {
    const drawn = Object.entries(PICTURES).map(
      ([name, picture]) => [`${name}.svg`, drawPicture(picture)] as const,
    );
    for (const [name, svg] of drawn)
      expect(readFileSync(`docs/pictures/${name}`, 'utf8'), name).to.equal(svg);
    for (const name of drawn.map(([file]) => file)) expect(readdirSync('docs/pictures')).to.include(name);
  });

  it('have a title for whoever cannot see them, colours for dark and light, and no markup of their texts', () => {
    const svg = drawPicture(small);
    expect(svg).to.include('<title id="title">A &amp; B</title>');
    expect(svg).to.include('&lt;A&gt;');
    expect(svg).to.include('prefers-color-scheme:dark');
    expect(svg).to.include('class="bad"');
  });

  it('lead from the side of one box to the facing side of the other', () => {
    expect(drawPicture(small)).to.include('d="M244 50L308 50"');
  });

  it('refuse an arrow to a box that is not there', () => {
    expect(() => drawPicture({ ...small, arrows: [{ from: 'a', to: 'c' }] })).to.throw('no box named c');
  });
});
