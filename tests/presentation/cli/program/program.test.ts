import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { CommandActions } from '../../../../src/presentation/cli/program/command-actions.js';
import { buildProgram } from '../../../../src/presentation/cli/program/program.js';

async function run(...argv: readonly string[]) {
  const calls: unknown[] = [];
  const codes: number[] = [];
  const record =
    (name: string, code: number) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args]);
      return code;
    };
  const actions: CommandActions = {
    serve: record('serve', 0),
    tokenRotate: record('tokenRotate', 0),
    keyAdd: record('keyAdd', 0),
    connect: record('connect', 0),
    tools: record('tools', 0),
    call: record('call', 1),
    approve: record('approve', 1),
    docs: record('docs', 0),
    demo: record('demo', 0),
    init: record('init', 0),
    install: record('install', 0),
    uninstall: record('uninstall', 0),
    hook: record('hook', 0),
    trust: record('trust', 0),
    policyCheck: record('policyCheck', 0),
    policyExplain: record('policyExplain', 0),
    auditVerify: record('auditVerify', 0),
    auditTail: record('auditTail', 0),
    git: record('git', 0),
    auditExport: record('auditExport', 0),
    auditPrune: record('auditPrune', 0),
    doctor: record('doctor', 0),
    completion: record('completion', 0),
    toolNames: async () => ['echo', 'edit_file', 'read_file'],
  };
  const printed: string[] = [];
  const program = buildProgram('9.9.9', actions, (code) => codes.push(code));
  const quiet = {
    writeOut: (text: string) => printed.push(text),
    writeErr: (text: string) => printed.push(text),
  };
  program.configureOutput(quiet);
  for (const command of program.commands) {
    command.configureOutput(quiet);
    for (const nested of command.commands) nested.configureOutput(quiet);
  }
  const error = await program.parseAsync(argv, { from: 'user' }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { calls, codes, printed: printed.join(''), error };
}

describe('the command line', () => {
  it('hands a call its tool, arguments and options, and its code on', async () => {
    const { calls, codes } = await run('call', 'echo', '{"message":"hi"}', '--json');
    expect(calls).to.deep.equal([['call', {}, 'echo', '{"message":"hi"}', { json: true }]]);
    expect(codes).to.deep.equal([1]);
  });

  it('takes {} for arguments that are left out', async () => {
    expect((await run('call', 'echo')).calls).to.deep.equal([['call', {}, 'echo', '{}', {}]]);
  });

  it('knows tools, serve and the demo', async () => {
    expect((await run('tools', '--json')).calls).to.deep.equal([['tools', {}, { json: true }]]);
    expect((await run('serve')).calls).to.deep.equal([['serve', {}, {}]]);
    expect((await run('serve', '--http', '--port', '8080', '--host', '::1')).calls).to.deep.equal([
      ['serve', {}, { http: true, port: 8080, host: '::1' }],
    ]);
    expect((await run('token', 'rotate')).calls).to.deep.equal([['tokenRotate']]);
    expect((await run('demo')).calls).to.deep.equal([['demo', {}]]);
    expect((await run('--help')).printed)
      .to.contain('tools')
      .and.contain('demo')
      .and.not.to.contain('__complete');
  });

  it('takes the places of configuration on every command', async () => {
    const { calls } = await run('policy', 'check', '--workspace', '/w', '--ceiling', '/c.yaml');
    expect(calls).to.deep.equal([['policyCheck', { workspace: '/w', ceiling: '/c.yaml' }, undefined, {}]]);
  });

  it('says of a word that is no command that it is none, with the nearest one and no page of help', async () => {
    const { error, printed, calls } = await run('tool');
    expect(error).to.have.property('exitCode', 1);
    expect(printed).to.contain("unknown command 'tool'. Did you mean tools?").and.not.to.contain('Usage:');
    expect((await run('nonsense')).printed).to.match(
      /unknown command 'nonsense'. The commands: serve, .*help\.\n/,
    );
    expect((await run('tools', 'more')).printed).to.contain('too many arguments');
    expect(calls).to.deep.equal([]);
  });

  it('helps as a command too, and tells what happens without one', async () => {
    expect((await run('help')).printed).to.contain('Without a command: serves over stdio');
    expect((await run('help', 'policy')).printed).to.contain('explain');
    expect((await run('help', 'policy', 'check')).printed).to.contain('Usage: castellan policy check');
    const wrong = await run('help', 'policy', 'chek');
    expect(wrong.printed).to.contain("unknown command 'chek'. Did you mean check?");
    expect(wrong.error).to.have.property('exitCode', 1);
  });

  it('prints its version, and refuses what it does not know', async () => {
    expect((await run('--version')).printed).to.equal('9.9.9\n');
    const { error, codes } = await run('call');
    expect(error).to.have.property('exitCode', 1);
    expect(codes).to.deep.equal([]);
    expect((await run('tools', '--wrong')).error).to.have.property('exitCode', 1);
  });
});
