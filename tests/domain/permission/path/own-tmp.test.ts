import { expect } from 'chai';
import { isInOwnTmp, OwnTmp } from '../../../../src/domain/permission/path/own-tmp.js';
import type { PathView } from '../../../../src/domain/permission/policy/path-view.js';

const only = (accepts: (path: string) => boolean): PathView => ({
  canRead: accepts,
  canWrite: accepts,
  readableIn: (folder) => (name) => accepts(`${folder}/${name}`),
});
const NOTHING = only(() => false);
const ALL = only(() => true);

describe('The /tmp of a session', () => {
  for (const [path, workspace, isOwn] of [
    ['/tmp', '/work', true],
    ['/tmp/a/b', '/work', true],
    ['/tmpfile', '/work', false],
    ['/var/tmp/a', '/work', false],
    ['/tmp/a', '/tmp', false],
    ['/tmp/a', '/', false],
    ['/tmp/project/a', '/tmp/project', false],
    ['/tmp/group/beside', '/tmp/group/project', false],
    ['/tmp/grouped', '/tmp/group/project', true],
  ] as const)
    it(`${isOwn ? 'has' : 'has not'} ${path} where the workspace is ${workspace}`, () => {
      expect(isInOwnTmp(path, workspace, NOTHING)).to.equal(isOwn);
    });

  it('has nothing that the policy opens by name', () => {
    const view = only((path) => path === '/tmp/shared');
    expect(isInOwnTmp('/tmp/shared', '/work', view)).to.equal(false);
    expect(isInOwnTmp('/tmp/other', '/work', view)).to.equal(true);
  });

  it('is found on the host and shown by its own name', () => {
    const tmp = new OwnTmp('/state/tmp/s', '/work', NOTHING, ALL);
    expect(tmp.locate('/tmp/a')).to.equal('/state/tmp/s/a');
    expect(tmp.locate('/tmp')).to.equal('/state/tmp/s');
    expect(tmp.locate('/work/a')).to.equal('/work/a');
    expect(tmp.shown('/state/tmp/s/a')).to.equal('/tmp/a');
    expect(tmp.shown('/state/tmp/other')).to.equal('/state/tmp/other');
  });

  it('is judged by its own rules, and everything else by those of elsewhere', () => {
    const { view } = new OwnTmp(
      '/state/tmp/s',
      '/work',
      only((path) => path.startsWith('/work/')),
      only((path) => path !== '/tmp/.env'),
    );
    expect(view.canRead('/state/tmp/s/a') && view.canWrite('/state/tmp/s/a')).to.equal(true);
    expect(view.canRead('/state/tmp/s/.env') || view.canWrite('/state/tmp/s/.env')).to.equal(false);
    expect(view.readableIn('/state/tmp/s')('.env')).to.equal(false);
    expect(view.readableIn('/work')('x')).to.equal(true);
    for (const path of ['/state/tmp/other/a', '/tmp/a', '/state/flags'])
      expect(view.canRead(path), path).to.equal(false);
  });
});
