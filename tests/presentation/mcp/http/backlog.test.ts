import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Backlog } from '../../../../src/presentation/mcp/http/backlog.js';

const MIB = 1024 * 1024;

describe('Backlog', () => {
  it('lets one reader be 4 MiB behind and no more', () => {
    const backlog = new Backlog();
    const reader = {};
    expect(backlog.allows(reader, 4 * MIB)).to.equal(true);
    expect(backlog.allows(reader, 4 * MIB + 1)).to.equal(false);
  });

  it('lets a thousand stalled readers hold 64 MiB together, and cuts those that want more', () => {
    const backlog = new Backlog();
    let most = 0;
    let cut = 0;
    for (let index = 0; index < 1000; index += 1) {
      const reader = {};
      if (!backlog.allows(reader, MIB)) {
        backlog.gone(reader);
        cut += 1;
      }
      most = Math.max(most, backlog.bytes);
    }
    expect(most).to.be.at.most(64 * MIB);
    expect(cut).to.equal(936);
  });

  it('does not mind readers that are a little behind when others are far', () => {
    const backlog = new Backlog();
    for (let index = 0; index < 16; index += 1) backlog.allows({}, 4 * MIB);
    expect(backlog.allows({}, 64 * 1024)).to.equal(true);
    expect(backlog.allows({}, 64 * 1024 + 1)).to.equal(false);
  });

  it('forgets readers that caught up or went', () => {
    const backlog = new Backlog();
    const [one, other] = [{}, {}];
    backlog.allows(one, MIB);
    backlog.allows(other, MIB);
    backlog.allows(one, 0);
    backlog.gone(other);
    expect(backlog.bytes).to.equal(0);
  });
});
