import { expect } from 'chai';
import { TaskTwins } from '../../support/task-twins.js';

const ASK = `#!/bin/bash
read -r -p "Name? " name
read -r -p "Sure? [y/N] " sure
[ "$sure" = y ] && echo "made $name" | tee made.txt || { echo "left"; exit 3; }
`;

describe('An agent at programs that ask', function () {
  this.timeout(120_000);
  const twins = new TaskTwins();
  before(() => twins.begin(`cat > ask.sh <<'END'\n${ASK}END\nchmod +x ask.sh`));
  after(() => twins.stop());

  const text = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    const { isError, texts } = await twins.person.reads(tool, args);
    expect(isError, texts.join('\n')).to.equal(false);
    return texts.join('\n');
  };
  const begin = async (command: string): Promise<string> =>
    /p_[\w-]+/.exec(await text('execute_command', { command, background: true }))?.[0] ?? '';
  const type = (process_id: string, typed: string, more = {}): Promise<string> =>
    text('process_input', { process_id, text: typed, ...more });

  it('has the same answers where the input is there from the beginning', async () => {
    for (const line of [
      "printf 'Ann\\ny\\n' | ./ask.sh",
      './ask.sh <<< "Bob"',
      './ask.sh < /dev/null',
      "python3 -i -q 2>&1 <<'END'\nx = 6\nprint(x * 7)\nEND",
      "node -i 2>&1 <<< 'console.log(6 * 7)' | grep 42",
      "bc <<< '6 * 7' || expr 6 '*' 7",
      'read -r answer; echo "code $? [$answer]"',
      'cat; echo end of input',
    ])
      await twins.same(line);
    const inside = await twins.agent({ command: './ask.sh', stdin: 'Cid\ny\n' });
    const outside = await twins.plain("exec 2>&1; ./ask.sh < <(printf 'Cid\\ny\\n')");
    expect({ code: inside.code, output: inside.output }).to.deep.equal(outside);
    twins.sameFiles('ask.sh');
  });

  it('converses with python -i, each answer in the call that asked', async () => {
    const id = await begin('python3 -i -q -u');
    expect(await type(id, 'x = 6\nprint(x * 7)\n')).to.match(/^(>>> )*42\n/);
    expect(await type(id, 'import sys; print(len(sys.argv), file=sys.stderr)\n')).to.match(/^(>>> )*1\n/);
    expect(await type(id, '1/0\n')).to.include('ZeroDivisionError');
    const last = await type(id, 'exit(4)\n', { wait_for: 'exit', wait: 20 });
    expect(last).to.include('exit code 4');
  });

  it('converses with a REPL of node and a shell', async () => {
    const node = await begin('node -i');
    expect(await type(node, 'const six = 6; six * 7\n')).to.include('42');
    expect(await type(node, '.exit\n', { wait_for: 'exit', wait: 20 })).to.include('exit code 0');
    const shell = await begin('bash');
    expect(await type(shell, 'cd /tmp && pwd\n')).to.match(/^\/tmp\n/);
    expect(await type(shell, 'exit 5\n', { wait_for: 'exit', wait: 20 })).to.include('exit code 5');
  });

  it('answers a script that reads, question by question', async () => {
    const id = await begin('./ask.sh');
    await type(id, 'Dora\n');
    const answer = await type(id, 'y\n', { wait_for: 'exit', wait: 20 });
    expect(answer).to.match(/made Dora[\s\S]*exit code 0/);
    await twins.plain("printf 'Dora\\ny\\n' | ./ask.sh");
    twins.sameFiles('ask.sh');
  });
});
