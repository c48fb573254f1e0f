import { expect } from 'chai';
import { LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { decide, loadFiles, policyOf, problemsOf, verdict } from '../../../support/policy-bench.js';

describe('consent: deny', () => {
  const YAML = 'extends: [builtin:workspace]\ntools: { delete_path: { consent: deny } }\n';

  it('refuses what would have asked, and asks nobody', async () => {
    const decision = decide(await policyOf(YAML), 'delete_path', { path: 'a' });
    expect(verdict(decision)).to.equal('deny CONSENT_UNAVAILABLE');
    expect(decision.effect === 'deny' && decision.hint).to.include('consent: deny');
  });

  it('refuses commands that delete the whole workspace, and no others', async () => {
    const policy = await policyOf(YAML);
    expect(verdict(decide(policy, 'execute_command', { command: 'rm -rf .' }))).to.equal(
      'deny CONSENT_UNAVAILABLE',
    );
    expect(verdict(decide(policy, 'execute_command', { command: 'rm -rf dist' }))).to.equal('allow');
  });

  it('takes the tool out of the list', async () => {
    expect((await policyOf(YAML)).couldAllow(LOCAL_STDIO, 'delete_path')).to.equal(false);
    expect(
      (await policyOf('extends: [builtin:workspace]\n')).couldAllow(LOCAL_STDIO, 'delete_path'),
    ).to.equal(true);
  });

  it('of a ceiling wins over a question', async () => {
    const files = { '/policy.yaml': 'extends: [builtin:workspace]\n', '/ceiling.yaml': YAML };
    const loaded = await loadFiles(files, { ceiling: '/ceiling.yaml' });
    if (!loaded.success) throw new Error(loaded.error.message);
    const { policy } = loaded.value.snapshot;
    expect(verdict(decide(policy, 'delete_path', { path: 'a' }))).to.equal('deny CONSENT_UNAVAILABLE');
  });

  for (const [place, yaml] of [
    ['defaults', 'defaults: { consent: deny }\n'],
    ['a path', 'tools: { read_file: { allowed_paths: [{ path: a, consent: deny }] } }\n'],
    ['a command', 'tools: { execute_command: { allowed_commands: [{ command: ls, consent: deny }] } }\n'],
  ] as const) {
    it(`is refused at ${place}: a list of denies says that`, async () => {
      expect((await problemsOf(yaml)).join('\n')).to.include('"deny"');
    });
  }
});
