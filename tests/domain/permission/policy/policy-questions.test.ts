import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import { LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { decide, load, verdict } from '../../../support/policy-bench.js';

const OWN = `
sandboxes: { s: { filesystem: { read: [.], write: [out] } } }
principals: [{ match: { transport: [stdio] }, roles: [dev], workspace: "/srv/\${id}" }]
roles: { dev: { tools: ["*"], denied_tools: [delete_path] } }
tools:
  read_file: { allowed_paths: [., /opt], denied_paths: [private, "**/*.key"] }
  write_file: { allowed_paths: [.], denied_paths: [frozen] }
  claude_conversation: { allowed_models: ["claude-*"] }
  execute_command:
    allowed_commands: ["*"]
    denied_commands: [rm, { command: [git, push] }, { command: curl, any: [-k] }, { command: dd, except: [[dd, --help]] }]
    sandbox: s
    env: { pass: [HOME, LANG], set: { CI: "1" }, accept: [TZ] }
    background: { max: 4, ttl: 1h }
    git_may_restore: true
  echo: { enabled: false }
`;

const CEILING = `
tools:
  read_file: { allowed_paths: [.], denied_paths: [hidden] }
  write_file: { allowed_paths: [out] }
  execute_command:
    allowed_commands: ["*"]
    env: { pass: [LANG], set: { CI: "2" } }
    background: { max: 8, ttl: 10m }
`;

describe('What a policy answers without a call', () => {
  let alone: PermissionPolicy;
  let under: PermissionPolicy;
  before(async () => {
    const { layer } = await load(OWN);
    alone = new PermissionPolicy(layer);
    under = new PermissionPolicy(layer, [(await load(CEILING)).layer]);
  });

  const VIEWS: readonly (readonly [path: string, alone: string, under: string])[] = [
    ['/workspace/a', 'read write', 'read'],
    ['/workspace/out/a', 'read write', 'read write'],
    ['/workspace/private/a', 'write', ''],
    ['/workspace/a.key', 'write', ''],
    ['/workspace/hidden', 'read write', ''],
    ['/workspace/frozen', 'read', 'read'],
    ['/workspace/.env', 'write', ''],
    ['/workspace/permissions.yaml', '', ''],
    ['/workspace/.castellan/x', 'read', 'read'],
    ['/opt/a', 'read', ''],
    ['/etc/hosts', '', ''],
  ];
  for (const [path, own, both] of VIEWS) {
    it(`${path} is for ${own || 'nothing'}, and for ${both || 'nothing'} under a ceiling`, () => {
      for (const [policy, wanted] of [
        [alone, own],
        [under, both],
      ] as const) {
        const reader = policy.viewFor('read_file');
        const mayRead = reader.canRead(path);
        const slash = path.lastIndexOf('/');
        expect(reader.readableIn(path.slice(0, slash))(path.slice(slash + 1))).to.equal(mayRead);
        const words = [mayRead && 'read', policy.viewFor('write_file').canWrite(path) && 'write'];
        expect(words.filter(Boolean).join(' ')).to.equal(wanted);
      }
    });
  }

  it('shows nothing to a tool without an entry', () => {
    const view = alone.viewFor('nothing_like_it');
    expect(view.canRead('/workspace/a')).to.equal(false);
    expect(view.readableIn('/workspace')('a')).to.equal(false);
    expect(alone.viewFor('nothing_like_it')).to.equal(view);
  });

  it('hides from views that belong to no tool what any layer denies to readers', () => {
    for (const path of [
      '/workspace/private/a',
      '/workspace/x.key',
      '/workspace/.env',
      '/state/a',
      '/private',
    ])
      expect(alone.hides(path), path).to.equal(!path.startsWith('/private'));
    expect(alone.hides('/workspace/hidden')).to.equal(false);
    expect(under.hides('/workspace/hidden')).to.equal(true);
    expect(under.hides('/workspace/a')).to.equal(false);
  });

  it('preserves what nothing may change', () => {
    expect(alone.preserves('/workspace/frozen/a')).to.equal(true);
    expect(alone.preserves('/workspace/.castellan/a')).to.equal(true);
    expect(alone.preserves('/workspace/permissions.yaml')).to.equal(true);
    expect(alone.preserves('/workspace/private/a')).to.equal(false);
  });

  it('lists the tools that some call could pass', () => {
    const could = (policy: PermissionPolicy, tool: string) => policy.couldAllow(LOCAL_STDIO, tool);
    expect(could(alone, 'read_file')).to.equal(true);
    expect(could(alone, 'read-file')).to.equal(true);
    expect(could(alone, 'echo')).to.equal(false);
    expect(could(alone, 'edit_file')).to.equal(false);
    expect(could(alone, 'claude_conversation')).to.equal(true);
    expect(could(under, 'claude_conversation')).to.equal(false);
  });

  it('admits a tool that is listed, enabled, and in a role of the caller', () => {
    const refusal = (tool: string) => alone.admission(LOCAL_STDIO, tool)?.reason;
    expect(refusal('read_file')).to.equal(undefined);
    expect(refusal('echo')).to.equal('DISABLED');
    expect(refusal('edit_file')).to.equal('NO_ALLOW');
    expect(refusal('nothing_like_it')).to.equal('UNKNOWN_TOOL');
    expect(refusal('delete_path')).to.equal('NO_ALLOW');
    expect(under.admission(LOCAL_STDIO, 'claude_conversation')?.reason).to.equal('NO_ALLOW');
  });

  it('adds a notice to every refusal', () => {
    const noted = alone.withNotice('Old rules.');
    expect(noted.admission(LOCAL_STDIO, 'echo')?.hint).to.match(/here .*\. Old rules\.$/);
    const denied = decide(noted, 'read_file', { path: '/etc/hosts' });
    expect(denied.effect === 'deny' && denied.hint).to.match(/Old rules\.$/);
    expect(verdict(decide(noted, 'read_file', { path: 'a' }))).to.equal('allow');
  });

  it('knows the folder and the roles of a caller', () => {
    expect(alone.rolesOf(LOCAL_STDIO)).to.deep.equal(['dev']);
    const folder = alone.workspaceOf(LOCAL_STDIO);
    expect(folder?.success && folder.value).to.equal('/srv/local');
    expect(alone.knowsApiKey('sha256:1')).to.equal(false);
  });

  it('gives commands only what all layers give them', () => {
    expect(alone.environmentOf('execute_command')).to.deep.include({
      pass: ['HOME', 'LANG'],
      accept: ['TZ'],
    });
    expect(under.environmentOf('execute_command')).to.deep.equal({
      pass: ['LANG'],
      set: { CI: '2' },
      accept: [],
    });
    expect(alone.environmentOf('echo_nothing')).to.deep.equal({ pass: [], set: {}, accept: [] });
    expect(alone.backgroundOf('execute_command')).to.deep.equal({ max: 4, ttlMs: 3_600_000 });
    expect(under.backgroundOf('execute_command')).to.deep.equal({ max: 4, ttlMs: 600_000 });
    expect(under.backgroundOf('read_file')).to.equal(undefined);
    expect(alone.gitMayRestore('execute_command')).to.equal(true);
    expect(under.gitMayRestore('execute_command')).to.equal(false);
    expect(alone.allowsAnyProgram('execute_command')).to.equal(true);
    expect(alone.allowsAnyProgram('read_file')).to.equal(false);
    expect(alone.allowsAnyProgram('nothing')).to.equal(false);
    expect(alone.sandboxWrites()).to.include('/workspace/out');
  });

  it('lets a tool ask the models that its entry names, and any other tool none', () => {
    expect(alone.allowsModel('claude_conversation', 'claude-1')).to.equal(true);
    expect(alone.allowsModel('claude_conversation', 'other')).to.equal(false);
    expect(alone.allowsModel('read_file', 'other')).to.equal(true);
    expect(alone.allowsModel('nothing', 'claude-1')).to.equal(false);
  });

  it('names the programs that are denied as a whole, where any text may run', () => {
    const mode = alone.shellModeOf('execute_command');
    expect(alone.deniedPrograms('execute_command')).to.deep.equal(mode === 'full' ? ['rm'] : []);
    expect(alone.deniedPrograms('read_file')).to.deep.equal([]);
  });

  it('tells which patterns a view of the disk hides and keeps, with those of one tool', () => {
    const texts = (rules: readonly { readonly pattern: string }[]) => rules.map(({ pattern }) => pattern);
    const view = alone.patterns();
    expect(texts(view.denied)).to.deep.equal(['/workspace/private', '**/*.key']);
    expect(texts(view.never)).to.include('/state');
    expect(texts(view.hidden)).to.include('/workspace/private').and.not.include('/state');
    expect(texts(view.readOnly)).to.include.members(['/workspace/frozen', '/workspace/.castellan']);
    expect(texts(view.serverOwned)).to.include.members(['/state', '/workspace/.castellan']);
    expect(texts(alone.patterns('write_file').denied)).to.include('/workspace/frozen');
    expect(texts(alone.patterns('nothing').denied)).to.deep.equal(texts(view.denied));
  });
});
