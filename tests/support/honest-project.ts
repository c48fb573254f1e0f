import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(
    {
      name: 'small-project',
      version: '1.0.0',
      private: true,
      scripts: {
        test: 'node --test tests/',
        build: 'mkdir -p dist && cp src/*.js dist/',
        lint: 'node --check src/index.js',
      },
    },
    undefined,
    2,
  ),
  'README.md': '# Small project\n\nhello\nworld\nof lines\n',
  'src/index.js':
    "const { add } = require('./math.js');\n// TODO more\nfunction main() {\n  console.log(add(1, 2));\n}\nmain();\nexports.main = main;\n// export\n",
  'src/math.js': 'function add(a, b) {\n  return a + b;\n}\nexports.add = add;\n',
  'tests/math.test.js':
    "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../src/math.js');\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
  'logs/app.log': 'info: started\nerror: failed\nERROR: worse\n',
  'data/words.txt': 'bar\nfoo\nhello\n',
  'data/table.csv': 'a,1\nb,3\nc,2\n',
  'data/list.json': '[1, 2]\n',
  'data/files.txt': 'README.md\npackage.json\n',
  'data/change.patch':
    '--- a/README.md\n+++ b/README.md\n@@ -1,5 +1,5 @@\n # Small project\n \n-hello\n+goodbye\n world\n of lines\n',
  'config.ini': '# comment\n\nkey=value\n',
  'tools/hello.py': 'import sys\nprint("hello from", sys.version_info.major)\n',
  'pytests/test_hello.py':
    'import unittest\n\n\nclass Hello(unittest.TestCase):\n    def test_true(self):\n        self.assertTrue(True)\n',
  Makefile:
    '.PHONY: all test clean help\nall:\n\t@echo built\ntest:\n\t@node --test tests/\nclean:\n\trm -rf dist\nhelp:\n\t@echo all test clean\n',
  'native/main.c': '#include <stdio.h>\nint main(void) { puts("native"); return 0; }\n',
  'scripts/build.sh': '#!/bin/sh\nset -e\nfor f in src/*.js; do echo "built $f"; done\n',
  'packages/leftish/package.json': '{ "name": "leftish", "version": "1.0.0" }\n',
  '.nvmrc': '20\n',
  '.gitignore': 'node_modules\ndist\n__pycache__\n',
  '.env': 'TOKEN=not-for-commands\n',
};

/** A small project with history, as an agent finds one. */
export class HonestProject {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-honest-')));
  readonly workspace = join(this.root, 'project');
  readonly state = join(this.root, 'state');

  constructor() {
    for (const [name, text] of Object.entries(FILES)) {
      const path = join(this.workspace, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    chmodSync(join(this.workspace, 'scripts/build.sh'), 0o755);
    this.git('init', '-q', '-b', 'master');
    this.git('config', 'user.name', 'dev');
    this.git('config', 'user.email', 'dev@example.com');
    this.git('add', 'README.md', 'src/math.js');
    this.git('commit', '-qm', 'First');
    this.git('add', '-A', ':!.env');
    this.git('commit', '-qm', 'Second');
    writeFileSync(join(this.workspace, '.git/info/exclude'), '.env\n');
  }

  git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.workspace, stdio: 'pipe' });
  }

  policy(text: string): string {
    const file = join(this.root, 'policy.yaml');
    writeFileSync(file, text);
    return file;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
