import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CliWorkspace } from '../support/cli-workspace.js';
import { commandInProcess } from '../support/command-in-process.js';

describe('castellan trust', () => {
  let project: CliWorkspace;
  const run = (...args: string[]) => commandInProcess(args, { cwd: project.folder, env: project.env });

  beforeEach(() => {
    project = new CliWorkspace();
  });

  afterEach(() => project.remove());

  it('lists what is trusted, shows what changed since, and takes trust back', async () => {
    expect((await run('trust', '--list')).stdout).to.equal('No file is trusted.\n');
    const path = project.write('permissions.yaml', 'tools: { echo: {} }\n');
    expect((await run('trust', '--diff')).stdout).to.contain(
      'there is no trusted version to compare it with',
    );
    expect((await run('trust')).stdout).to.contain('is trusted as it is now');
    expect((await run('trust', '--diff')).stdout).to.contain('did not change since it was trusted');
    expect((await run('trust', '--list')).stdout).to.match(/trusted +sha256:[0-9a-f]+ +.*permissions\.yaml/);
    writeFileSync(path, 'tools: { echo: { enabled: false } }\n');
    expect((await run('trust', '--list')).stdout).to.contain('changed');
    const { stdout } = await run('trust', '--diff');
    expect(stdout).to.contain('-tools: { echo: {} }').and.contain('+tools: { echo: { enabled: false } }');
    expect((await run('trust', '--list')).stdout, 'looking accepts nothing').to.contain('changed');
    expect((await run('trust')).stdout)
      .to.contain('Changed since it was trusted')
      .and.contain('is trusted');
    expect((await run('trust', '--revoke', 'permissions.yaml')).stdout).to.contain('is not trusted any more');
    expect((await run('trust', '--revoke', 'permissions.yaml')).stdout).to.contain('was not trusted');
    expect((await run('policy', 'check')).stdout).to.contain('It is not trusted yet');
    expect((await run('trust')).code).to.equal(0);
    rmSync(path);
    expect((await run('trust', '--list')).stdout).to.match(/^gone /m);
  });

  it('init leaves a list of ignored files that the project shares as it is', async () => {
    project.write('.gitignore', 'node_modules');
    expect((await run('init')).code).to.equal(0);
    expect((await run('init', '--force')).code).to.equal(0);
    expect(readFileSync(project.path('.gitignore'), 'utf8')).to.equal('node_modules');
  });

  it('refuses what is neither a policy nor settings, and says why', async () => {
    project.write('notes.txt', 'hello\n');
    project.write('package.json', '{ "name": "x" }\n');
    project.write('castellan.extra.yaml', 'answers: loud\n');
    for (const [file, says] of [
      ['notes.txt', /notes\.txt:1:1: .*Nothing was trusted/s],
      ['package.json', /package\.json:1:3: Unknown key "name".*Nothing was trusted/s],
      ['castellan.extra.yaml', /castellan\.extra\.yaml:1:10: Expected one of text, envelope/],
    ] as const) {
      const { code, stderr } = await run('trust', file);
      expect(code, file).to.equal(3);
      expect(stderr).to.match(says);
    }
    expect((await run('trust', '--list')).stdout).to.equal('No file is trusted.\n');
  });

  it('says of settings that were found what is not taken from them', async () => {
    project.write('castellan.yaml', 'redis: { url: "redis://127.0.0.1:1" }\n');
    // A process of its own: the log outlasts the command.
    const { code, stderr } = await project.run(['tools']);
    expect(code).to.equal(0);
    expect(stderr)
      .to.contain('http, redis, audit and consent are not taken from it')
      .and.not.to.contain('baseline');
  });

  it('reports a file that is extended and missing where it is named', async () => {
    project.write('p.yaml', 'tools: {}\nextends:\n  - builtin:baseline\n  - gone.yaml\n');
    const { code, stderr } = await run('policy', 'check', 'p.yaml');
    expect(code).to.equal(3);
    expect(stderr).to.contain(`p.yaml:4:5: There is no file ${project.path('gone.yaml')}.`);
  });

  it('tells of a flag that may not hold a value which values it may', async () => {
    const config = project.write('c.yaml', 'flags: { schemas: { mode: { enum: [fast, slow] } } }\n');
    const { code, stderr } = await run(
      'call',
      'set_project_flag',
      '{"flag":"mode","value":"c"}',
      '--config',
      config,
    );
    expect(code).to.equal(1);
    expect(stderr).to.contain('"fast","slow"').and.contain('got "c"');
    expect(stderr.match(/may not hold/g)).to.have.length(1);
  });

  it('says of another file that it is no audit log, and names the workspace in records', async () => {
    await run('call', 'echo', '{"message":"x"}');
    project.write('notes.txt', 'hello\n');
    const { code, stderr } = await run('audit', 'verify', 'notes.txt');
    expect(code).to.equal(1);
    expect(stderr).to.contain('notes.txt is no segment of an audit log');
    const [record = ''] = (await run('audit', 'tail', '--json', '-n', '1')).stdout.split('\n');
    expect(JSON.parse(record)).to.include({ tool: 'echo', workspace: project.folder });
    const verified = JSON.parse((await run('audit', 'verify', '--json')).stdout);
    expect(verified).to.include({ sound: true });
  });

  it('examines a machine whose configuration is broken', async () => {
    project.write('bad.yaml', 'tols: {}\n');
    const broken = await run('doctor', '--json', '--policy', 'bad.yaml');
    expect(broken.code).to.equal(3);
    const { checks } = JSON.parse(broken.stdout);
    const found = Object.fromEntries(checks.map((check: { name: string }) => [check.name, check]));
    expect(found.policy.remedy).to.contain('bad.yaml:1:1: Unknown key "tols". Did you mean tools?');
    expect(found.workspace).to.include({ status: 'ok', detail: project.folder });
    expect(found.settings).to.include({ status: 'warn', detail: 'not read: the server cannot start' });
    expect(found).to.include.keys('http', 'redis', 'sandbox', 'state folder', 'trust');
    const gone = await run('doctor', '--json', '--workspace', 'gone');
    expect(gone.code).to.equal(3);
    expect(gone.stdout).to.contain('gone does not exist');
  });
});
