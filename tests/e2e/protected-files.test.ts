import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { AskingServers } from '../../src/infrastructure/approval/asking-servers.js';
import { PinFile } from '../../src/infrastructure/approval/pin-file.js';
import { ReachableServers } from '../../src/infrastructure/approval/reachable-servers.js';
import { answerText, ConsoleGround } from '../support/console-ground.js';
import { eventually } from '../support/eventually.js';
import type { SpawnedServer } from '../support/spawned-server.js';

const POLICY = 'version: 1\nextends: [builtin:workspace]\n';
const TASKS = '.vscode/tasks.json';

describe('protected files, under the policy that init writes', function () {
  this.timeout(60_000);
  let ground: ConsoleGround;
  let server: SpawnedServer;
  let people: ReachableServers;
  beforeEach(async () => {
    ground = new ConsoleGround();
    const pin = new PinFile(ground.stateFolder);
    await pin.set('correct horse');
    const key = await pin.unlock('correct horse');
    people = new ReachableServers(new AskingServers(ground.stateFolder), key.success ? key.value : '');
    server = await ground.serve(POLICY);
    ground.project.write(TASKS, '{\n  "one": 1\n}\n');
  });
  afterEach(() => ground.close());

  /** The one question that is open. */
  async function asked() {
    let found: { name: string; question: Awaited<ReturnType<typeof first>> } | undefined;
    const first = async () => [...(await people.states())].flatMap(([, { questions }]) => questions)[0];
    await eventually('a question is open', async () => {
      for (const [name, { questions }] of await people.states())
        if (questions[0] !== undefined) found = { name, question: questions[0] };
      return found !== undefined;
    });
    if (found?.question === undefined) throw new Error('There is no question.');
    return { name: found.name, question: found.question };
  }

  const edit = { path: TASKS, old_text: '"one": 1', new_text: '"one": 2' };

  it('ask with the rule and the difference, and are written once after a yes', async () => {
    const call = server.callTool(1, 'edit_file', edit);
    const { name, question } = await asked();
    expect(question.rule?.why).to.include('outside the sandbox');
    expect(question.diff).to.include('-  "one": 1').and.include('+  "one": 2');
    expect(await people.answer(name, { id: question.id, accept: true })).to.equal('taken');
    expect(answerText(await call)).to.include('+  \\"one');
    expect(readFileSync(ground.file(TASKS), 'utf8')).to.include('"one": 2');
    const again = server.callTool(2, 'edit_file', { ...edit, old_text: '"one": 2', new_text: '"one": 3' });
    const next = await asked();
    await people.answer(next.name, { id: next.question.id, accept: false, reason: 'enough' });
    expect(answerText(await again)).to.include('enough');
    expect(readFileSync(ground.file(TASKS), 'utf8')).to.include('"one": 2');
  });

  it('are made where they are not there yet, with the folders above them', async () => {
    const args = { path: '.claude/skills/a/SKILL.md', content: '# a\n', create_dirs: true };
    const call = server.callTool(1, 'write_file', args);
    const { name, question } = await asked();
    expect(question.diff).to.include('+# a');
    await people.answer(name, { id: question.id, accept: true });
    expect(answerText(await call)).to.include('Written to');
    expect(readFileSync(ground.file(args.path), 'utf8')).to.equal('# a\n');
  });

  it('stay refused through a link, by other tools, and where nobody may be asked', async () => {
    symlinkSync('.vscode/tasks.json', ground.file('link'));
    for (const [tool, args] of [
      ['write_file', { path: 'link', content: 'x' }],
      ['copy_path', { source: 'permissions.yaml', destination: TASKS, overwrite: true }],
      ['write_file', { path: '.git/hooks/pre-commit', content: 'x', create_dirs: true }],
      ['write_file', { path: '.castellan/policy.yaml', content: 'x', create_dirs: true }],
      ['execute_command', { command: `echo x > ${TASKS}` }],
    ] as const)
      expect(answerText(await server.callTool(tool + args.constructor.name, tool, args)), tool).to.match(
        /PROTECTED|DENIED_PATH/,
      );
    expect(readFileSync(ground.file(TASKS), 'utf8')).to.include('"one": 1');
    expect(existsSync(ground.file('.git'))).to.equal(false);
  });

  it('are refused flatly with protected: deny', async () => {
    await ground.servers.pop()?.kill();
    server = await ground.serve(`${POLICY}tools: { edit_file: { protected: deny } }\n`);
    expect(answerText(await server.callTool(1, 'edit_file', edit))).to.include('PROTECTED');
  });
});
