import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { AGENT_LINES } from '../support/agent-lines.js';
import { AGENT_SCRIPTS } from '../support/agent-scripts.js';
import { CommandClient, type CommandReply, MANY_CALLS } from '../support/command-client.js';
import { HonestProject } from '../support/honest-project.js';

const DATES = { GIT_AUTHOR_DATE: '2024-01-02T03:04:05Z', GIT_COMMITTER_DATE: '2024-01-02T03:04:05Z' };
const SERVERS_OWN = { GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', GIT_EDITOR: 'true' };

const POLICY = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
    timeout: 60
    env: { pass: [PATH, LANG], set: ${JSON.stringify(DATES)} }
`;

/** In every run some of them; all in the long one. */
const LINES =
  process.env.CASTELLAN_LONG === '1'
    ? [...AGENT_LINES, ...AGENT_SCRIPTS]
    : [...AGENT_LINES.slice(0, 38), ...AGENT_SCRIPTS.slice(0, 2)];

interface Seen {
  readonly exit_code: number | null | undefined;
  readonly stdout: string | undefined;
  readonly stderr: string | undefined;
}

describe('Commands as agents write them, beside plain bash', function () {
  this.timeout(900_000);
  let project: HonestProject;
  let plain: string;
  let home: string;
  let client: CommandClient;

  before(async () => {
    project = new HonestProject();
    plain = join(project.root, 'plain/project');
    home = join(project.root, 'plain-home');
    mkdirSync(home);
    writeFileSync(join(home, '.npmrc'), 'fetch-retries=0\nupdate-notifier=false\n');
    cpSync(project.workspace, plain, { recursive: true });
    client = await CommandClient.start(project, project.policy(POLICY));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  function inBash(line: string): Seen {
    const env = { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: home, ...DATES, ...SERVERS_OWN };
    const { stdout, stderr, status } = spawnSync('bash', ['--noprofile', '--norc', '-c', line], {
      cwd: plain,
      env,
      input: '',
    });
    return { exit_code: status, stdout: told(stdout.toString()), stderr: told(stderr.toString()) };
  }

  function inSandbox({ value }: CommandReply): Seen {
    return {
      exit_code: value?.exit_code,
      stdout: value && told(value.stdout),
      stderr: value && told(value.stderr),
    };
  }

  /** The two places by one name, and the differences that there are, each with its reason. */
  function told(text: string): string {
    return (
      text
        .replaceAll(plain, '@')
        .replaceAll(project.workspace, '@')
        .replaceAll(home, '~')
        .replace(/\S*\/castellan\/home\/[0-9a-f]{16}/g, '~')
        // What is read exactly runs by absolute paths, which programs repeat in their messages.
        .replace(/^(?:\/usr)?\/bin\/([\w-]+): /gm, '$1: ')
        // A pattern that the shell expands begins with a dot, so that no name is taken for an option.
        .replace(/^\.\/(x\d\.tmp)$/gm, '$1')
        // git would take the section of a branch out of its configuration, which commands cannot write.
        .replace(/^(error: could not write config file .*|warning: Update of config-file failed)\n/gm, '')
        // What is not on the PATH is told by the server, which starts nothing for it.
        .replace(/^bash: line \d+: (?=.*: command not found$)/gm, '')
        // bash tells its line, which the shell of a terminal does not have.
        .replace(/line \d+/g, 'line')
    );
  }

  it(`${LINES.length} lines print the same and end the same`, async () => {
    const differences: unknown[] = [];
    for (const line of LINES) {
      const reply = await client.run(line);
      const [ours, theirs] = [inSandbox(reply), inBash(line)];
      if (JSON.stringify(ours) !== JSON.stringify(theirs))
        differences.push({ line, ours: reply.success ? ours : reply.error, theirs });
    }
    expect(differences).to.deep.equal([]);
  });

  it('and leave the same files and commits', () => {
    expect(filesOf(project.workspace)).to.deep.equal(filesOf(plain));
    const log = (cwd: string) => execFileSync('git', ['log', '--all', '--format=%H %s'], { cwd }).toString();
    expect(log(project.workspace)).to.equal(log(plain));
  });
});

function filesOf(folder: string): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = found
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(folder, '.git/')));
  return Object.fromEntries(
    files.sort().map((path) => [path.slice(folder.length), readFileSync(path, 'latin1')]),
  );
}
