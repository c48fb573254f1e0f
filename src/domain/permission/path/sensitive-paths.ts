/** A built-in deny that an allow entry lifts by naming the file itself. */
export interface SensitivePath {
  readonly pattern: string;
  readonly except?: readonly string[];
}

const plain = (patterns: readonly string[]): readonly SensitivePath[] =>
  patterns.map((pattern) => ({ pattern }));

/** Not readable: these files hold somebody's keys. */
export const SECRET_PATHS: readonly SensitivePath[] = [
  {
    pattern: '**/.env*',
    except: [
      '**/.env.example',
      '**/.env.sample',
      '**/.env.template',
      '**/.env.dist',
      '**/.env.defaults',
      '**/.envrc',
    ],
  },
  { pattern: '**/id_rsa*', except: ['**/*.pub'] },
  { pattern: '**/id_ecdsa*', except: ['**/*.pub'] },
  { pattern: '**/id_ed25519*', except: ['**/*.pub'] },
  { pattern: '**/id_dsa*', except: ['**/*.pub'] },
  ...plain([
    '**/*.pem',
    '**/*.key',
    '**/*.p12',
    '**/*.pfx',
    '**/*.keystore',
    '**/*.jks',
    '**/.ssh',
    '**/.aws',
    '**/.gnupg',
    '**/.kube',
    '**/.azure',
    '**/.npmrc',
    '**/.yarnrc.yml',
    '**/.pypirc',
    '**/.netrc',
    '**/_netrc',
    '**/.pgpass',
    '**/.git-credentials',
    '**/.docker/config.json',
    '**/.config/gcloud',
    '**/.config/gh',
  ]),
  // Agents store their own keys in files; a reader of one can act as the user.
  ...plain([
    '**/.claude/.credentials.json',
    '**/.claude.json',
    '**/.config/claude',
    '**/.config/anthropic',
    '**/.codex/auth.json',
    '**/.gemini/oauth_creds.json',
    '**/.gemini/google_accounts.json',
    '**/.gemini/mcp-oauth-tokens.json',
    '**/.qwen/oauth_creds.json',
    '**/.config/github-copilot',
    '**/.copilot/config.json',
    '**/.config/opencode/auth.json',
    '**/.local/share/opencode/auth.json',
    '**/.config/cursor/auth.json',
    '**/.cursor/auth.json',
    '**/.cursor-server/data/User/globalStorage',
    '**/.continue/config.json',
    '**/.continue/config.yaml',
    '**/.codeium',
    '**/.config/goose/secrets.yaml',
    '**/.config/crush/crush.json',
    '**/.local/share/crush/crush.json',
    '**/.local/share/amp/secrets.json',
    '**/.aider/oauth-keys.env',
    '**/.config/io.datasette.llm/keys.json',
    '**/.huggingface/token',
    '**/.cache/huggingface/token',
  ]),
];

/** May hold credentials, but git must read it inside the sandbox: denied to the file tools only. */
export const CREDENTIAL_CONFIGS: readonly SensitivePath[] = plain(['**/.git/config']);

/**
 * Not writable: something executes or follows these later, outside the sandbox, without a person choosing to
 * run them. Files that a person runs on purpose, such as package.json or a Makefile, are not listed: agents
 * must be able to edit them.
 */
export const PROTECTED_PATHS: readonly SensitivePath[] = plain([
  // git, and tools that run from its hooks
  '**/.git',
  '**/.gitconfig',
  '**/.husky',
  '**/.pre-commit-config.yaml',
  '**/.pre-commit-hooks.yaml',
  '**/lefthook.yml',
  '**/lefthook.yaml',
  '**/.lefthook.yml',
  '**/.overcommit.yml',
  // editors run tasks and apply settings of the directory they open
  '**/.vscode',
  '**/.idea',
  '**/.zed',
  '**/.devcontainer',
  '**/.devcontainer.json',
  '**/.nvim.lua',
  '**/.exrc',
  '**/.dir-locals.el',
  // agents follow these instructions and start the servers and hooks named in them
  '**/.mcp.json',
  '**/.cursor',
  '**/.cursorrules',
  '**/.claude',
  '**/.gemini',
  '**/.codex',
  '**/.qwen',
  '**/.opencode',
  '**/opencode.json',
  '**/opencode.jsonc',
  '**/.clinerules',
  '**/.windsurf',
  '**/.windsurfrules',
  '**/.roo',
  '**/.roomodes',
  '**/.kiro',
  '**/.continue',
  '**/.amazonq',
  '**/.augment',
  '**/.augment-guidelines',
  '**/.trae',
  '**/.junie',
  '**/.goosehints',
  '**/.aider.conf.yml',
  '**/.crush.json',
  '**/crush.json',
  '**/.rules',
  '**/AGENTS.md',
  '**/AGENTS.override.md',
  '**/CLAUDE.md',
  '**/CLAUDE.local.md',
  '**/GEMINI.md',
  '**/QWEN.md',
  '**/.github/copilot-instructions.md',
  '**/.github/instructions',
  '**/.github/prompts',
  '**/.github/chatmodes',
  '**/.github/agents',
  '**/.castellan',
  // build servers run these with their own secrets
  '**/.github/workflows',
  '**/.github/actions',
  '**/.gitlab-ci.yml',
  '**/.gitlab-ci.yaml',
  '**/.circleci',
  '**/.travis.yml',
  '**/.drone.yml',
  '**/.woodpecker',
  '**/.woodpecker.yml',
  '**/.woodpecker.yaml',
  '**/.buildkite',
  '**/.semaphore',
  '**/.teamcity',
  '**/.gitea/workflows',
  '**/.forgejo/workflows',
  '**/.cirrus.yml',
  '**/.appveyor.yml',
  '**/appveyor.yml',
  '**/azure-pipelines.yml',
  '**/azure-pipelines.yaml',
  '**/bitbucket-pipelines.yml',
  '**/Jenkinsfile',
  // package managers and shells load these before anything the user asked for
  '**/.pnpmfile.cjs',
  '**/.pnpmfile.mjs',
  '**/.envrc',
  '**/.bashrc',
  '**/.bash_profile',
  '**/.bash_login',
  '**/.bash_logout',
  '**/.profile',
  '**/.zshrc',
  '**/.zshenv',
  '**/.zprofile',
  '**/.zlogin',
  '**/.zlogout',
  '**/.inputrc',
  '**/.config/fish',
  '**/.config/autostart',
  '**/.config/systemd',
  '**/.config/git',
]);

/** Of these nobody is asked: git's own files are as good as its hooks, and the policy is not the agent's to change. */
const NEVER_ASKED: ReadonlySet<string> = new Set([
  '**/.git',
  '**/.gitconfig',
  '**/.config/git',
  '**/.castellan',
]);

export function mayAskAbout({ pattern }: SensitivePath): boolean {
  return !NEVER_ASKED.has(pattern);
}

/** Access to other processes: no entry lifts these. */
export const NEVER_PATHS: readonly string[] = [
  '/proc/*/mem',
  '/proc/*/root',
  '/proc/*/task/*/mem',
  '/proc/*/task/*/root',
];
