import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PersonClient } from '../support/person-client.js';
import { TaskTwins } from '../support/task-twins.js';

describe('The /tmp of a session', function () {
  this.timeout(60_000);
  const twins = new TaskTwins();
  const foreign = mkdtempSync('/tmp/foreign-');
  before(async () => {
    writeFileSync(join(foreign, 'mine.txt'), 'of the machine');
    await twins.begin('printf "SECRET=1\\n" > .env; mkdir src; echo one > src/a');
  });
  after(async () => {
    await twins.stop();
    rmSync(foreign, { recursive: true });
  });

  const use = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    const { isError, texts } = await twins.person.reads(tool, args);
    expect(isError, texts.join('\n')).to.equal(false);
    return texts.join('\n');
  };
  const fails = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    const { isError, texts } = await twins.person.reads(tool, args);
    expect(isError, texts.join('\n')).to.equal(true);
    return texts.join('\n');
  };
  const run = (command: string): Promise<string> => use('execute_command', { command });

  it('is one for commands and for file tools, whoever used it first', async () => {
    await use('write_file', { path: '/tmp/first.txt', content: 'by a tool\n' });
    expect(await run('cat /tmp/first.txt; echo more >> /tmp/first.txt')).to.equal('by a tool\n');
    expect(await use('read_file', { path: '/tmp/first.txt' })).to.equal('by a tool\nmore\n');
    const diff = await use('edit_file', {
      path: '/tmp/first.txt',
      old_text: 'by a tool',
      new_text: 'edited',
    });
    expect(diff).to.include('+++ /tmp/first.txt');
    expect(await run('mv /tmp/first.txt /tmp/second.txt && cat /tmp/second.txt')).to.equal('edited\nmore\n');
    expect(existsSync('/tmp/second.txt')).to.equal(false);
  });

  it('is listed, searched, copied from, moved in and tidied by its own name', async () => {
    await run('mkdir -p /tmp/d/e; seq 30 > /tmp/d/e/n.txt');
    expect(await use('list_directory', { path: '/tmp/d', recursive: true })).to.include('n.txt');
    expect(await use('search_content', { path: '/tmp/d', query: '^29$' })).to.include('29:29');
    expect(await use('search_files', { path: '/tmp', pattern: 'n.txt' })).to.include('d/e/n.txt');
    expect(await use('file_info', { path: '/tmp/d/e/n.txt' })).to.include('path: /tmp/d/e/n.txt');
    await use('copy_path', { source: 'src/a', destination: '/tmp/a' });
    await use('move_path', { source: '/tmp/a', destination: '/tmp/d/b' });
    expect(await run('cat /tmp/d/b')).to.equal('one\n');
    await use('delete_path', { path: '/tmp/d', recursive: true, explicit_action: 'DELETE_PATH' });
    expect(await run('[ -e /tmp/d ] || echo gone')).to.equal('gone\n');
  });

  it('takes what save_output keeps', async () => {
    const saved = await use('execute_command', { command: 'seq 2000', save_output: '/tmp/out.txt' });
    expect(saved).to.include('/tmp/out.txt');
    expect(await use('read_file', { path: '/tmp/out.txt', offset: -1 })).to.include('2000');
    expect(await run('wc -l < /tmp/out.txt')).to.equal('2000\n');
  });

  it('leads nowhere else: not to the /tmp of the machine, and by no link', async () => {
    expect(await fails('read_file', { path: join(foreign, 'mine.txt') })).to.include('No such file');
    await fails('write_file', { path: join(foreign, 'new.txt'), content: 'x' });
    expect(existsSync(join(foreign, 'new.txt'))).to.equal(false);
    const script = `for n in /etc/passwd ${foreign}/mine.txt ${twins.folder}/.e* ${twins.folder}/../state; do ln -s $n /tmp/l-$(basename $n); done; ln -s ${twins.folder}/src/a /tmp/l-a; ls -a /tmp`;
    const made = await use('execute_command', { command: 'bash', args: ['-c', script] });
    expect(made).to.match(/l-passwd[\s\S]*l-state/);
    for (const name of ['l-passwd', 'l-mine.txt', 'l-.env'])
      expect(await fails('read_file', { path: `/tmp/${name}` }), name).to.match(
        /Permission|outside|not allowed/,
      );
    expect(await fails('list_directory', { path: '/tmp/l-state' })).to.match(/Permission|outside/);
    expect(await use('read_file', { path: '/tmp/l-a' })).to.equal('one\n');
  });

  it('keeps to what the policy denies, and offers no line that would open the machine’s', async () => {
    await use('execute_command', { command: 'bash', args: ['-c', 'echo T=1 > /tmp/.e"nv"'] });
    const refused = await fails('read_file', { path: '/tmp/.env' });
    expect(refused).to.include('PROTECTED').and.not.include('also_allow');
    expect(await fails('read_file', { path: '/tmp/../etc/passwd' })).to.include('NO_ALLOW');
  });

  it('is of one session alone', async () => {
    await use('write_file', { path: '/tmp/mine', content: 'x' });
    const other = new PersonClient();
    await other.connect(twins.folder, undefined, { ...twins.environment, CASTELLAN_ANSWERS: undefined });
    try {
      expect((await other.reads('read_file', { path: '/tmp/mine' })).texts.join()).to.include('No such file');
      await other.reads('write_file', { path: '/tmp/theirs', content: 'y' });
    } finally {
      await other.stop();
    }
    expect(await run('ls /tmp | grep -c theirs; ls /tmp/mine')).to.include('/tmp/mine');
  });

  it('is explained as it is', async () => {
    const explained = await use('explain_permission', { tool: 'read_file', arguments: { path: '/tmp/x' } });
    expect(explained).to.include('allowed: true');
  });
});
