import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Result } from '../../../src/domain/result.js';
import {
  invalidInput,
  permissionDenied,
  toolFailure,
  toolNotFound,
} from '../../../src/domain/tool/tool-error.js';
import { ToolResult } from '../../../src/domain/tool/tool-result.js';
import { callCommand } from '../../../src/presentation/cli/call-command.js';
import { MemoryOutput } from '../../support/memory-output.js';

const good = async () => Result.ok(ToolResult.text('Echo: hi'));

describe('castellan call', () => {
  it('prints text raw and ends with 0', async () => {
    const output = new MemoryOutput();
    const seen: unknown[] = [];
    const execute = async (...args: unknown[]) => {
      seen.push(args);
      return Result.ok(ToolResult.text('Echo: hi'));
    };
    expect(await callCommand(execute, 'echo', '{"message":"hi"}', {}, output)).to.equal(0);
    expect(output).to.deep.include({ stdout: 'Echo: hi\n', stderr: '' });
    expect(seen).to.deep.equal([['echo', { message: 'hi' }]]);
  });

  it('prints the CallToolResult with --json, and a structured answer as its envelope', async () => {
    const json = new MemoryOutput();
    await callCommand(good, 'echo', '{}', { json: true }, json);
    expect(JSON.parse(json.stdout)).to.deep.equal({ content: [{ type: 'text', text: 'Echo: hi' }] });
    const envelope = Result.ok([1]).toEnvelope();
    const structured = new MemoryOutput();
    await callCommand(async () => Result.ok(ToolResult.json(envelope)), 'x', '{}', {}, structured);
    expect(JSON.parse(structured.stdout)).to.deep.equal(envelope);
  });

  it('describes other content instead of printing its bytes', async () => {
    const output = new MemoryOutput();
    await callCommand(async () => Result.ok(ToolResult.image('aGk=', 'image/png')), 'x', '{}', {}, output);
    expect(output.stdout).to.contain('image/png').and.not.to.contain('aGk=');
  });

  it('ends with 1 and the reason when the call failed', async () => {
    const output = new MemoryOutput();
    expect(await callCommand(async () => toolFailure(toolNotFound('x')), 'x', '{}', {}, output)).to.equal(1);
    expect(output.stderr).to.contain('Unknown tool: x');
    expect(output.stdout).to.equal('');
  });

  it('prints the failed result with --json', async () => {
    const output = new MemoryOutput();
    const failed = async () => toolFailure(toolNotFound('x'));
    expect(await callCommand(failed, 'x', '{}', { json: true }, output)).to.equal(1);
    expect(JSON.parse(output.stdout)).to.include({ isError: true });
    expect(JSON.parse(output.stdout).structuredContent).to.include({ success: false, error_code: -32001 });
  });

  it('lists every wrong argument with what was expected, what came and what to do', async () => {
    const output = new MemoryOutput();
    const problem = { issue: 'path is required', expected: 'a string', received: 'nothing', hint: 'Where.' };
    const failed = async () => toolFailure(invalidInput([{ parameter_name: 'path', ...problem }]));
    await callCommand(failed, 'read_file', '{}', {}, output);
    expect(output.stderr).to.equal(
      'The arguments of read_file do not fit.\n- path is required, a string; got nothing. Where.\n',
    );
  });

  it('tells how to learn the rule behind a refusal', async () => {
    const output = new MemoryOutput();
    const failed = async () => toolFailure(permissionDenied('NO_ALLOW', 'Refused.'));
    await callCommand(failed, 'read_file', '{}', {}, output);
    expect(output.stderr).to.contain('Refused.').and.contain('castellan policy explain read_file');
  });

  for (const json of ['{', '[]', '7', 'null', '"x"', '']) {
    it(`ends with 2 for the arguments ${JSON.stringify(json)}, and calls nothing`, async () => {
      const output = new MemoryOutput();
      const code = await callCommand(async () => expect.fail('called'), 'x', json, {}, output);
      expect(code).to.equal(2);
      expect(output.stderr).to.contain('must be a JSON object');
      expect(output.stdout).to.equal('');
    });
  }
});
