import { expect } from 'chai';
import { describe, it } from 'mocha';
import { FileFault, faultKindOf } from '../../../../src/infrastructure/file/file-fault.js';
import { LinkTrail } from '../../../../src/infrastructure/file/locate/link-trail.js';

const SEEN = /^\/(w(\/|$)|$)/;

function trailOf(path: string): LinkTrail {
  return new LinkTrail(path, 'read', {
    guard: { mayRead: (one) => SEEN.test(one), mayWrite: () => false },
    signal: new AbortController().signal,
  });
}

function kindOf(work: () => unknown): string {
  try {
    work();
    return 'fine';
  } catch (error) {
    return faultKindOf(error) ?? 'bug';
  }
}

/** Everything that is still to be looked up. */
function rest(trail: LinkTrail): string {
  const names: string[] = [];
  for (let name = trail.next(); name !== undefined; name = trail.next()) names.push(name);
  return names.join('/');
}

describe('LinkTrail', () => {
  it('hands out the names of a path one after the other', () => {
    const trail = trailOf('/w//a/./b/');
    expect(trail.atEnd).to.equal(false);
    expect(rest(trail)).to.equal('w/a/b');
    expect(trail.atEnd).to.equal(true);
  });

  /** A link in /w/a, with `z` after it: whether the walk starts again at the top, and what is left of it. */
  const LINKS: readonly (readonly [target: string, restarts: boolean, left: string])[] = [
    ['x', false, 'x/z'],
    ['./x//y', false, 'x/y/z'],
    ['/w/x', true, 'w/x/z'],
    ['/', true, 'z'],
    ['..', true, 'w/z'],
    ['../x', true, 'w/x/z'],
    ['../../x', true, 'x/z'],
    ['../../../x', true, 'x/z'],
  ];
  for (const [target, restarts, left] of LINKS) {
    it(`goes on at ${target}`, () => {
      const trail = trailOf('/w/a/link/z');
      for (const name of ['w', 'a']) {
        trail.next();
        trail.enter(name);
      }
      trail.next();
      expect(trail.follow('link', target)).to.equal(restarts);
      expect(rest(trail)).to.equal(left);
    });
  }

  it('follows no link that climbs out of what it entered itself', () => {
    expect(kindOf(() => trailOf('/w').follow('w', 'x/../y'))).to.equal('outside');
    expect(kindOf(() => trailOf('/w').follow('w', '../x/..'))).to.equal('outside');
  });

  it('follows no link of the kernel', () => {
    const trail = trailOf('/proc/self/root');
    expect(trail.next()).to.equal('proc');
    trail.enter('proc');
    expect(kindOf(() => trail.follow('self', '1'))).to.equal('special-file');
  });

  it('follows a second link only where it may be seen', () => {
    const trail = trailOf('/o/link');
    trail.enter('o');
    expect(kindOf(() => trail.follow('link', 'other'))).to.equal('fine');
    expect(kindOf(() => trail.follow('other', 'third'))).to.equal('outside');
  });

  it('follows forty links and no more', () => {
    const trail = trailOf('/w/link');
    trail.enter('w');
    for (let links = 0; links < 40; links += 1)
      expect(kindOf(() => trail.follow('link', 'link'))).to.equal('fine');
    expect(kindOf(() => trail.follow('link', 'link'))).to.equal('too-many-links');
  });

  it('looks again at what changes a hundred times and no more', () => {
    const trail = trailOf('/w');
    for (let retries = 0; retries < 100; retries += 1) {
      expect(trail.next()).to.equal('w');
      trail.retry('w');
    }
    expect(kindOf(() => trail.retry('w'))).to.equal('busy');
  });

  it('judges where the walk has ended, and says of another place than was asked for only that it is outside', () => {
    const judge = (asked: string, entered: readonly string[], name: string) => {
      const trail = trailOf(asked);
      for (const one of entered) trail.enter(one);
      return kindOf(() => trail.finish(name));
    };
    expect(judge('/w/a', ['w'], 'a')).to.equal('fine');
    expect(judge('/', [], '')).to.equal('fine');
    expect(judge('/o/a', ['o'], 'a')).to.equal('denied');
    expect(judge('/w/link', ['o'], 'a')).to.equal('outside');
    expect(judge('/w/link', ['proc'], 'a')).to.equal('special-file');
    expect(judge('/w/link', ['sys'], '')).to.equal('special-file');
    expect(judge('/w/link', ['w', 'process'], '')).to.equal('fine');
  });

  it('tells failures beyond a link apart only where the place may be seen', () => {
    const missing = new FileFault('not-found');
    const told = (target: string, error: unknown = missing) => {
      const trail = trailOf('/w/link/z');
      trail.next();
      trail.enter('w');
      trail.next();
      trail.follow('link', target);
      trail.next();
      return trail.explain(error);
    };
    expect(told('/w/x')).to.equal(missing);
    expect(told('x')).to.equal(missing);
    expect(faultKindOf(told('/o/x'))).to.equal('outside');
    const bug = new Error('bug');
    expect(told('/o/x', bug)).to.equal(bug);
    expect(trailOf('/o/x').explain(missing)).to.equal(missing);
  });
});
