import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Result } from '../../../src/domain/result.js';
import {
  invalidInput,
  permissionDenied,
  toolFailure,
  toolNotFound,
  toolUnavailable,
} from '../../../src/domain/tool/tool-error.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { showCommand } from '../../../src/presentation/answers/command-text.js';
import { type CalledServer, callCommand } from '../../../src/presentation/cli/call-command.js';
import type { Output } from '../../../src/presentation/cli/output.js';
import { MemoryOutput } from '../../support/memory-output.js';

function call(
  execute: CalledServer['execute'],
  tool: string,
  json: string,
  options: { readonly json?: boolean },
  output: Output,
) {
  const runsCommand = (name: string) => name === 'execute_command';
  const showOf = (name: string) => (runsCommand(name) ? showCommand : undefined);
  return callCommand(
    { execute, showOf, runsCommand, toolNames: () => ['echo', 'read_file'] },
    tool,
    json,
    options,
    output,
  );
}

const good = async () => Result.ok(ToolResult.text('Echo: hi'));

describe('castellan call', () => {
  it('prints text raw and ends with 0', async () => {
    const output = new MemoryOutput();
    const seen: unknown[] = [];
    const execute = async (...args: unknown[]) => {
      seen.push(args);
      return Result.ok(ToolResult.text('Echo: hi'));
    };
    expect(await call(execute, 'echo', '{"message":"hi"}', {}, output)).to.equal(0);
    expect(output).to.deep.include({ stdout: 'Echo: hi', stderr: '' });
    expect(seen).to.deep.equal([['echo', { message: 'hi' }]]);
  });

  it('ends the last line of a text on a terminal alone, and of the output of a command', async () => {
    const ran = async () => Result.ok(ToolResult.json(Result.ok({ stdout: 'a', exit_code: 0 }).toEnvelope()));
    for (const [forPeople, end] of [
      [true, '\n'],
      [false, ''],
    ] as const) {
      const [text, command] = [new MemoryOutput(forPeople), new MemoryOutput(forPeople)];
      await call(good, 'echo', '{}', {}, text);
      await call(ran, 'execute_command', '{}', {}, command);
      expect([text.stdout, command.stdout]).to.deep.equal([`Echo: hi${end}`, `a${end}`]);
    }
  });

  it('prints the CallToolResult with --json, and a structured answer as its envelope', async () => {
    const json = new MemoryOutput();
    await call(good, 'echo', '{}', { json: true }, json);
    expect(JSON.parse(json.stdout)).to.deep.equal({ content: [{ type: 'text', text: 'Echo: hi' }] });
    const envelope = Result.ok([1]).toEnvelope();
    const structured = new MemoryOutput();
    await call(async () => Result.ok(ToolResult.json(envelope)), 'x', '{}', {}, structured);
    expect(JSON.parse(structured.stdout)).to.deep.equal(envelope);
  });

  it('shows a person, and no program, the hints that an agent gets', async () => {
    const hint = 'The network is off in this sandbox.';
    const ran = async () =>
      Result.ok(ToolResult.json(Result.ok({ stdout: '', exit_code: 6 }, { instruction: hint }).toEnvelope()));
    const failed = async () =>
      toolFailure({ ...toolUnavailable('SANDBOX_UNAVAILABLE', 'No sandbox.'), instruction: hint });
    for (const forPeople of [true, false]) {
      const [command, failure] = [new MemoryOutput(forPeople), new MemoryOutput(forPeople)];
      await call(ran, 'execute_command', '{}', {}, command);
      await call(failed, 'execute_command', '{}', {}, failure);
      expect(command.stderr.includes(hint)).to.equal(forPeople);
      expect(failure.stderr.includes(hint)).to.equal(forPeople);
    }
  });

  it('prints the output of a command as the command did, and ends with 1 when it failed', async () => {
    const ran = (value: object) => async () => Result.ok(ToolResult.json(Result.ok(value).toEnvelope()));
    const good = new MemoryOutput();
    const value = { stdout: 'a "b"\nc\n', stderr: 'careful\n', exit_code: 0, duration_ms: 3, sandbox: 'x' };
    expect(await call(ran(value), 'execute_command', '{}', {}, good)).to.equal(0);
    expect(good).to.deep.include({ stdout: 'a "b"\nc\n', stderr: 'careful\n' });
    const bad = new MemoryOutput();
    const failed = { ...value, stdout: '', stderr: 'no\n', exit_code: 3 };
    expect(await call(ran(failed), 'execute_command', '{}', {}, bad)).to.equal(1);
    expect(bad).to.deep.include({ stdout: '', stderr: 'no\nexit code 3\n' });
  });

  it('shows a structured answer as text to a person', async () => {
    const output = new MemoryOutput(true);
    const answer = async () => Result.ok(ToolResult.json(Result.ok({ name: 'x', size: 3 }).toEnvelope()));
    await call(answer, 'x', '{}', {}, output);
    expect(output.stdout).to.equal('name: x\nsize: 3\n');
  });

  it('says which tools there are when the one that was called is none', async () => {
    const output = new MemoryOutput();
    await call(async () => toolFailure(toolNotFound('ecoh', ['echo'])), 'ecoh', '{}', {}, output);
    expect(output.stderr).to.equal(
      'Unknown tool: ecoh. Did you mean echo? The tools here: echo, read_file.\n',
    );
  });

  it('describes other content instead of printing its bytes', async () => {
    const output = new MemoryOutput();
    await call(async () => Result.ok(ToolResult.image('aGk=', 'image/png')), 'x', '{}', {}, output);
    expect(output.stdout).to.contain('image/png').and.not.to.contain('aGk=');
  });

  it('ends with 1 and the reason when the call failed', async () => {
    const output = new MemoryOutput();
    expect(await call(async () => toolFailure(toolNotFound('x')), 'x', '{}', {}, output)).to.equal(1);
    expect(output.stderr).to.contain('Unknown tool: x');
    expect(output.stdout).to.equal('');
  });

  it('prints the failed result with --json', async () => {
    const output = new MemoryOutput();
    const failed = async () => toolFailure(toolNotFound('x'));
    expect(await call(failed, 'x', '{}', { json: true }, output)).to.equal(1);
    expect(JSON.parse(output.stdout)).to.include({ isError: true });
    expect(JSON.parse(output.stdout).structuredContent).to.include({ success: false, error_code: -32001 });
  });

  it('lists every wrong argument with what was expected, what came and what to do', async () => {
    const output = new MemoryOutput();
    const problem = { issue: 'path is required', expected: 'a string', received: 'nothing', hint: 'Where.' };
    const failed = async () => toolFailure(invalidInput([{ parameter_name: 'path', ...problem }]));
    await call(failed, 'read_file', '{}', {}, output);
    expect(output.stderr).to.equal(
      'The arguments of read_file do not fit.\n- path is required, a string; got nothing. Where.\n',
    );
  });

  it('tells how to learn the rule behind a refusal', async () => {
    const output = new MemoryOutput();
    const failed = async () => toolFailure(permissionDenied('NO_ALLOW', 'Refused.'));
    await call(failed, 'read_file', '{}', {}, output);
    expect(output.stderr).to.contain('Refused.').and.contain('castellan policy explain read_file');
  });

  for (const json of ['{', '[]', '7', 'null', '"x"', '']) {
    it(`ends with 2 for the arguments ${JSON.stringify(json)}, and calls nothing`, async () => {
      const output = new MemoryOutput();
      const code = await call(async () => expect.fail('called'), 'x', json, {}, output);
      expect(code).to.equal(2);
      expect(output.stderr).to.contain('must be a JSON object');
      expect(output.stdout).to.equal('');
    });
  }
});
