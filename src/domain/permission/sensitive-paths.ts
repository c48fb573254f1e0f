/** A built-in refusal that an allow entry lifts by naming the file itself. */
export interface SensitivePath {
  readonly pattern: string;
  readonly except?: readonly string[];
}

const plain = (patterns: readonly string[]): readonly SensitivePath[] =>
  patterns.map((pattern) => ({ pattern }));

/** Not read: whoever has one of these has somebody's keys. */
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
];

/** May hold credentials, yet git itself must read it inside the sandbox: refused to the file tools only. */
export const CREDENTIAL_CONFIGS: readonly SensitivePath[] = plain(['**/.git/config']);

/** Not written: somebody executes or obeys these later, outside the sandbox. */
export const PROTECTED_PATHS: readonly SensitivePath[] = plain([
  '**/.git',
  '**/.mcp.json',
  '**/.vscode',
  '**/.idea',
  '**/.cursor',
  '**/.claude',
  '**/.gemini',
  '**/.envrc',
  '**/.husky',
  '**/.github/workflows',
  '**/AGENTS.md',
  '**/CLAUDE.md',
  '**/GEMINI.md',
  '**/.cursorrules',
  '**/.bashrc',
  '**/.bash_profile',
  '**/.bash_login',
  '**/.bash_logout',
  '**/.profile',
  '**/.zshrc',
  '**/.zshenv',
  '**/.zprofile',
  '**/.zlogin',
  '**/.inputrc',
  '**/.gitconfig',
  '**/.config/fish',
  '**/.config/autostart',
]);

/** Windows into other processes: nothing lifts these. */
export const NEVER_PATHS: readonly string[] = [
  '/proc/*/mem',
  '/proc/*/root',
  '/proc/*/task/*/mem',
  '/proc/*/task/*/root',
];
