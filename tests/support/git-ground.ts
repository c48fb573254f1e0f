import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'dev',
  GIT_AUTHOR_EMAIL: 'dev@example.com',
  GIT_COMMITTER_NAME: 'dev',
  GIT_COMMITTER_EMAIL: 'dev@example.com',
  GIT_AUTHOR_DATE: '2030-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z',
};

/** Everything that git knows about a workspace, and the files in it. */
const PICTURE = `
git ls-files -s; git for-each-ref; git symbolic-ref -q HEAD; git rev-parse HEAD; git stash list
git status --porcelain
find . -name .git -prune -o -path ./remote.git -prune -o -type f -exec sha1sum {} + | grep -v '\\.git/' | sort`;

/** By user: a ground that nobody works on. Copying it takes a fraction of what making another one takes. */
const models = new Map<number | undefined, GitGround>();

/** A workspace with a repository, a place outside that nothing may write, and the user who works beside the agent. */
export class GitGround {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-git-')));
  readonly workspace = join(this.root, 'ws');
  readonly outside = join(this.root, 'outside');
  readonly state = join(this.root, 'state');
  readonly home = join(this.root, 'home');

  /** `uid`: who the user and the server are; undefined: whoever runs the tests. */
  constructor(
    private readonly uid?: number,
    isModel = false,
  ) {
    if (isModel) {
      this.#make();
      return;
    }
    execFileSync('cp', ['-a', `${modelFor(uid).root}/.`, this.root]);
    // The copies are other files than those that git's index knows.
    this.git('update-index', '-q', '--refresh');
  }

  #make(): void {
    for (const folder of [this.workspace, this.outside, this.state, this.home]) mkdirSync(folder);
    this.write('ws/a.txt', 'a\n');
    this.write('ws/b.txt', 'b\n');
    this.write('ws/sub/c.txt', 'c\n');
    this.write(
      'home/.gitconfig',
      '[user]\n\tname = dev\n\temail = dev@example.com\n[protocol "file"]\n\tallow = always\n',
    );
    this.own();
    this.git('init', '-q', '-b', 'main');
    this.git('add', '.');
    this.git('commit', '-qm', 'one');
    this.git('checkout', '-qb', 'topic');
    this.write('ws/b.txt', 'topic\n');
    this.git('commit', '-qam', 'topic');
    this.git('checkout', '-q', 'main');
    this.write('ws/a.txt', 'main\n');
    this.git('commit', '-qam', 'two');
    this.own();
  }

  /** The program of an attack leaves this behind. */
  get canary(): string {
    return join(this.outside, 'pwned');
  }

  get wasRun(): boolean {
    return existsSync(this.canary) || readdirSync(this.outside).length > 0;
  }

  write(name: string, text: string): void {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /** Everything belongs to the user. */
  own(): void {
    if (this.uid === undefined) return;
    execFileSync('chown', ['-R', `${this.uid}:${this.uid}`, this.root]);
    chownSync(this.root, this.uid, this.uid);
  }

  /** git as the user runs it, outside the sandbox; answers with everything it said. */
  git(...args: readonly string[]): string {
    return this.sh(['git', ...args]);
  }

  sh(line: readonly string[], cwd = this.workspace): string {
    const as =
      this.uid === undefined
        ? []
        : ['setpriv', `--reuid=${this.uid}`, `--regid=${this.uid}`, '--clear-groups'];
    const [file = '', ...args] = [...as, ...line];
    const { stdout, stderr } = spawnSync(file, args, {
      cwd: existsSync(cwd) ? cwd : this.workspace,
      encoding: 'utf8',
      timeout: 20_000,
      env: { PATH: process.env.PATH, HOME: this.home, LANG: 'C.UTF-8', GIT_EDITOR: 'true', ...IDENTITY },
    });
    return `${stdout}${stderr}`;
  }

  picture(): string {
    return this.sh(['sh', '-c', PICTURE]).replaceAll(this.root, '');
  }

  policy(text: string): string {
    this.write('policy.yaml', text);
    return join(this.root, 'policy.yaml');
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function modelFor(uid: number | undefined): GitGround {
  const known = models.get(uid);
  if (known !== undefined) return known;
  const made = new GitGround(uid, true);
  models.set(uid, made);
  process.on('exit', () => made.remove());
  return made;
}
