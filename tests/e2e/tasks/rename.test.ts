import { expect } from 'chai';
import { TaskTwins } from '../../support/task-twins.js';

const FILES = 44;

/** A class in one file, and forty files that use it in code, comments and strings. */
const MAKE = `
git init -q -b main; git config user.name dev; git config user.email dev@example.com
mkdir -p src/domain src/features test docs
printf 'export class OrderService {\\n  total = () => 1;\\n}\\n' > src/domain/order-service.mjs
for i in $(seq -w 1 ${FILES}); do
  printf "import { OrderService } from '../domain/order-service.mjs';\\n\\n/** Uses OrderService, not OrderServiceFactory. */\\nexport const feature$i = () => new OrderService().total() + 0;\\n" > src/features/feature-$i.mjs
done
{ echo "import test from 'node:test'; import assert from 'node:assert';"; for i in $(seq -w 1 ${FILES}); do
  echo "import { feature$i } from '../src/features/feature-$i.mjs'; test('feature $i', () => assert.equal(feature$i(), 1));"
done; } > test/all.test.mjs
echo 'The OrderService sums an order.' > docs/guide.md
printf '{ "name": "shop", "private": true, "type": "module", "scripts": { "test": "node --test test/" } }\\n' > package.json
git add -A; git commit -qm first`;

const countOf = (text: string): string => text.replace(/(duration_ms) [\d.]+/g, '$1');

describe('An agent that renames a class in forty files', () => {
  const twins = new TaskTwins();
  before(() => twins.begin(MAKE));
  after(() => twins.stop());

  it('ends with the files that sed makes, tests that pass and a whole diff', async function () {
    this.timeout(120_000);
    await twins.same(
      'grep -rlw OrderService --exclude-dir=.git . | sort; grep -rqw Nothing --exclude-dir=.git .; echo $?',
    );
    const found = await twins.person.reads('search_content', { query: 'OrderService' });
    expect(found.texts.join('\n')).to.include('src/features/feature-01.mjs');
    await twins.same(
      'grep -rlwZ OrderService src test | xargs -0 sed -i "s/\\bOrderService\\b/Basket/g"; git diff --stat | tail -1',
    );
    await twins.tool(
      'move_path',
      { source: 'src/domain/order-service.mjs', destination: 'src/domain/basket.mjs' },
      'mv src/domain/order-service.mjs src/domain/basket.mjs',
    );
    await twins.same('npm test --silent 2>&1 | grep -cE "ERR_MODULE_NOT_FOUND"', { output: countOf });
    await twins.same(
      'for f in src/features/*.mjs; do sed -i "s#domain/order-service.mjs#domain/basket.mjs#" "$f"; done',
    );
    await twins.tool(
      'edit_file',
      { path: 'docs/guide.md', edits: [{ old_text: 'OrderService', new_text: 'Basket' }] },
      'sed -i s/OrderService/Basket/ docs/guide.md',
    );
    await twins.same('npm test --silent 2>&1 | grep -E "^# (pass|fail|tests)"');
    await twins.same('! grep -rnw OrderService --exclude-dir=.git .');
    await twins.same(
      'git add -A && git commit -qm "Rename" && git show --stat HEAD | tail -2; git status --short',
    );
  });
});
