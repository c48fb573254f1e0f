import { expect } from 'chai';
import { describe, it } from 'mocha';
import { Failure, Result } from '../../../../src/domain/result.js';
import { LOCAL_STDIO } from '../../../../src/domain/session/caller.js';
import { Session } from '../../../../src/domain/session/session.js';
import {
  executionFailed,
  internalFault,
  invalidInput,
  toolFailure,
  toolUnavailable,
} from '../../../../src/domain/tool/tool-error.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { InMemorySessionStore } from '../../../../src/infrastructure/session/in-memory-session-store.js';
import { InMemoryToolRegistry } from '../../../../src/infrastructure/tool/in-memory-tool-registry.js';
import type { AnswerStyle } from '../../../../src/presentation/answers/answer-style.js';
import { MORE } from '../../../../src/presentation/answers/server-notes.js';
import { AnswerWriter } from '../../../../src/presentation/mcp/surface/answer-writer.js';
import { mustValue } from '../../../support/sample-tool.js';
import { OPTIONS } from '../../../support/wire.js';

const writer = (answers: AnswerStyle) =>
  new AnswerWriter(
    new InMemoryToolRegistry({ prefix: '' }),
    { ...OPTIONS, answers },
    new InMemorySessionStore(),
  );

const note = (text: string, reader = 'assistant') => ({
  type: 'text',
  text,
  annotations: { audience: [reader] },
});

const found = Result.ok(
  ToolResult.json(Result.ok({ a: 1 }, { message: 'Done.', instruction: 'Go on.' }).toEnvelope()),
);

describe('what a call came to, on the wire', () => {
  it('S0-09, S1-15: is text with a block for the user and one for the agent', () => {
    expect(writer('text').write({ name: 'x' }, found)).to.deep.equal({
      result: { content: [{ type: 'text', text: 'a: 1' }, note('Done.', 'user'), note('Go on.')] },
    });
  });

  it('S0-02: shows 0, false and "" as the values they are', () => {
    const written = (value: unknown) =>
      writer('text').write({ name: 'x' }, Result.ok(ToolResult.json(Result.ok(value).toEnvelope())));
    expect(JSON.stringify(written({ n: 0, b: false, s: '' }))).to.contain('n: 0\\nb: false\\ns:');
    expect(written(0)).to.deep.equal({ result: { content: [{ type: 'text', text: '0' }] } });
    expect(written(false)).to.deep.equal({ result: { content: [{ type: 'text', text: 'false' }] } });
  });

  it('is the envelope for who asks, by setting or by the _meta of the call', () => {
    const envelope = writer('envelope').write({ name: 'x' }, found);
    expect(envelope).to.have.property('resultJson').that.includes('"structuredContent":{"success":true');
    expect(
      writer('text').write({ name: 'x', meta: { 'castellan/answers': 'envelope' } }, found),
    ).to.deep.equal(envelope);
    const text = writer('text').write({ name: 'x' }, found);
    expect(
      writer('envelope').write({ name: 'x', meta: { 'castellan/answers': 'text' } }, found),
    ).to.deep.equal(text);
    expect(writer('text').write({ name: 'x', meta: { 'castellan/answers': 'xml' } }, found)).to.deep.equal(
      text,
    );
  });

  it('ends with the very call that gets the next page', () => {
    const page = { truncated: true, next_cursor: 'c2', total: 9 };
    const outcome = Result.ok(ToolResult.json(Result.ok(['a'], { page, instruction: MORE }).toEnvelope()));
    const answer = writer('text').write({ name: 'list', arguments: { path: 'src' } }, outcome);
    expect(answer).to.have.nested.property(
      'result.content[1].text',
      'There are 9 in all. Next: list {"path":"src","cursor":"c2"}',
    );
    const long = writer('text').write({ name: 'list', arguments: { path: 'x'.repeat(400) } }, outcome);
    expect(long).to.have.nested.property(
      'result.content[1].text',
      'There are 9 in all. Next: list with the same arguments and cursor "c2"',
    );
  });

  it('keeps JSON that is no object apart from its beginning, for a client that would take it for structure', () => {
    const sessions = new InMemorySessionStore();
    for (const name of ['gemini-cli-mcp-client', 'other']) {
      const session = Session.create(name, LOCAL_STDIO);
      mustValue(session.initialize({ name, version: '1' }));
      sessions.add(session);
    }
    const own = new AnswerWriter(
      new InMemoryToolRegistry({ prefix: '' }),
      { ...OPTIONS, answers: 'text' },
      sessions,
    );
    const written = (sessionId: string) =>
      own.write({ name: 'x', sessionId }, Result.ok(ToolResult.text('[1]')));
    expect(written('other')).to.deep.equal({ result: { content: [{ type: 'text', text: '[1]' }] } });
    expect(written('gemini-cli-mcp-client')).to.deep.equal({
      result: { content: [note('The text as it is:'), { type: 'text', text: '[1]' }] },
    });
  });

  it('leaves content as the tool made it', () => {
    const content = writer('text').write({ name: 'x' }, Result.ok(ToolResult.text('as it is\n')));
    expect(content).to.deep.equal({ result: { content: [{ type: 'text', text: 'as it is\n' }] } });
  });

  it('is never empty', () => {
    const outcome = Result.ok(ToolResult.json(Result.ok({}).toEnvelope()));
    expect(writer('text').write({ name: 'x' }, outcome)).to.deep.equal({
      result: { content: [note('Nothing found.')] },
    });
  });
});

describe('a failure as text', () => {
  const written = (failure: ReturnType<typeof toolFailure>) => {
    const answer = writer('text').write({ name: 'x' }, failure);
    if (!('result' in answer)) throw new Error('no result');
    const { content, ...rest } = answer.result;
    expect(rest).to.deep.equal({ isError: true });
    expect(content).to.have.nested.property('[0].type', 'text');
    return Array.isArray(content) ? content.map((block: { text: string }) => block.text) : [];
  };

  it('S0-05, S1-16: has its message for the user and its instruction for the agent', () => {
    const failure = new Failure(executionFailed('There is no a.ts.'), 'NotFoundError', {
      message: 'The file is gone.',
      instruction: 'Ask the user.',
    });
    expect(writer('text').write({ name: 'x' }, failure)).to.deep.equal({
      result: {
        content: [
          { type: 'text', text: 'NotFoundError (-32005): There is no a.ts.' },
          note('The file is gone.', 'user'),
          note('Ask the user.'),
        ],
        isError: true,
      },
    });
  });

  it('S0-09, S1-15: keeps the two channels apart, each in a block for its reader', () => {
    const notes = { message: 'For the user.', instruction: 'For the agent.' };
    const answer = writer('text').write({ name: 'x' }, new Failure(executionFailed('No.'), 'Own', notes));
    expect(answer)
      .to.have.nested.property('result.content')
      .that.deep.includes(note('For the user.', 'user'));
    expect(answer).to.have.nested.property('result.content').that.deep.includes(note('For the agent.'));
  });

  it('S2-08: begins with its type and code, says what happened, and what to do in a block of its own', () => {
    const failure = toolFailure({
      ...executionFailed('There is no a.ts.', { type: 'NotFoundError' }),
      instruction: 'Ask.',
    });
    expect(written(failure)).to.deep.equal(['NotFoundError (-32005): There is no a.ts.', 'Ask.']);
  });

  it('says when to try again and under which id the log has it, once', () => {
    expect(written(toolFailure(toolUnavailable('BUSY', 'Too many calls.', 250)))).to.deep.equal([
      'ToolUnavailableError (-32010): Too many calls.',
      'retry_after_ms: 250',
    ]);
    expect(written(toolFailure(executionFailed('It broke.', { correlationId: 'c-1' })))).to.deep.equal([
      'ToolExecutionError (-32005): It broke.',
      'correlation_id: c-1',
    ]);
    expect(written(toolFailure(internalFault('c-1')))).to.have.length(1);
  });

  it('lists every problem of the arguments and how to mend it, without saying anything twice', () => {
    const problems = [
      {
        parameter_name: 'path',
        issue: 'path is required',
        expected: 'a string',
        received: 'nothing',
        hint: 'The file.',
      },
      {
        parameter_name: 'file_path',
        issue: 'file_path is not an argument of this tool',
        expected: 'only path',
        received: 'file_path',
        hint: 'Did you mean path?',
      },
      {
        parameter_name: 'limit',
        issue: 'limit must be an integer',
        expected: 'an integer',
        received: '"x"',
        hint: 'Lines.',
      },
    ];
    expect(written(toolFailure(invalidInput(problems)))).to.deep.equal([
      'ToolValidationError (-32602): path is required; file_path is not an argument of this tool; limit must be an integer; got "x"',
      'file_path: Did you mean path?\nlimit: Lines.',
    ]);
  });
});
