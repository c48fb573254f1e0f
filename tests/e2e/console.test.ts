import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { PAGES } from '../../src/presentation/console/console-page.js';
import { answerText, ConsoleGround, openBrowser } from '../support/console-ground.js';
import { eventually } from '../support/eventually.js';

const POLICY = `version: 1
extends: [builtin:workspace]
tools:
  echo: { consent: { mode: ask, remember: 15m } }
  delete_path: { consent: always }
`;

describe('castellan console, in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let ground: ConsoleGround;
  before(async () => {
    browser = await openBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    ground = new ConsoleGround();
    await ground.open();
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    await ground.close();
  });

  const show = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
  const button = (page: Page, name: string) => page.getByRole('button', { name });
  const said = (page: Page) => page.locator('#said').textContent();

  it('takes an approval from the call of an agent to its run', async () => {
    const server = await ground.serve(POLICY);
    ground.project.write('old.txt', 'x');
    const page = await ground.person(browser);
    const call = server.callTool(1, 'delete_path', { path: 'old.txt', explicit_action: 'DELETE_PATH' });
    await show(page, 'Approvals');
    await page.getByText('old.txt').first().waitFor();
    expect(await page.locator('article').textContent()).to.include(ground.project.folder);
    await button(page, 'Allow once').click();
    expect(await said(page)).to.match(/^Allowed/);
    expect(answerText(await call)).to.include('success\\":true');
    expect(existsSync(ground.file('old.txt'))).to.equal(false);
  });

  it('tells the agent the reason of a denial', async () => {
    const server = await ground.serve(POLICY);
    const page = await ground.person(browser);
    const call = server.callTool(1, 'echo', { message: 'hello' });
    await show(page, 'Approvals');
    await page.getByLabel('What the agent is told').fill('not on a Friday');
    await button(page, 'Deny echo').click();
    expect(answerText(await call)).to.include('not on a Friday');
  });

  it('remembers an answer for identical calls only where the rule allows it', async () => {
    const server = await ground.serve(POLICY);
    ground.project.write('old.txt', 'x');
    const page = await ground.person(browser);
    const calls = [
      server.callTool(1, 'echo', { message: 'hello' }),
      server.callTool(2, 'delete_path', { path: 'old.txt', explicit_action: 'DELETE_PATH' }),
    ];
    await show(page, 'Approvals');
    await page.locator('article').nth(1).waitFor();
    expect(await button(page, 'Allow for 15 min').count()).to.equal(1);
    await button(page, 'Allow for 15 min').click();
    expect(answerText(await server.answer(1))).to.include('hello');
    expect(answerText(await server.callTool(3, 'echo', { message: 'hello' }))).to.include('hello');
    await button(page, 'Deny delete_path').click();
    await Promise.all(calls);
  });

  it('gives a question to one of two people who answer at once', async () => {
    const server = await ground.serve(POLICY);
    const people = [await ground.person(browser), await ground.person(browser)];
    const call = server.callTool(1, 'echo', { message: 'hello' });
    for (const page of people) {
      await show(page, 'Approvals');
      await button(page, 'Allow once').waitFor();
    }
    const [first, second] = people;
    await Promise.all([
      first && button(first, 'Allow once').click(),
      second && button(second, 'Deny echo').click(),
    ]);
    const results = await Promise.all(people.map(said));
    expect(results.filter((text) => text?.startsWith('The question is not open any more'))).to.have.length(1);
    const isAllowed = results[0]?.startsWith('Allowed');
    expect(answerText(await call)).to.include(isAllowed ? 'hello' : 'declined');
  });

  it('shows a question without being reloaded, and takes it away when it is answered elsewhere', async () => {
    const server = await ground.serve(POLICY);
    const page = await ground.person(browser);
    await show(page, 'Approvals');
    const other = await ground.person(browser);
    const call = server.callTool(1, 'echo', { message: 'hello' });
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await page.getByRole('link', { name: /^Approvals 1/ }).waitFor();
    await show(other, 'Approvals');
    await button(other, 'Deny echo').click();
    await page.getByText('No question waits for you').waitFor();
    await call;
  });

  it('stops a process with everything that it started', async () => {
    const server = await ground.serve(POLICY);
    const command = 'sleep 997 & sleep 998; wait';
    const answer = answerText(await server.callTool(1, 'execute_command', { command, background: true }));
    expect(answer).to.include('process_id');
    const page = await ground.person(browser);
    await page.getByRole('button', { name: `Stop ${command}` }).click();
    expect(await said(page)).to.equal('Stopped.');
    await eventually('the process is stopped', async () =>
      answerText(await server.callTool(`l${Math.random()}`, 'list_processes', {})).includes('stopped'),
    );
  });

  it('stops a call, and says so to the agent', async () => {
    const server = await ground.serve(POLICY);
    const call = server.callTool(1, 'execute_command', { command: 'sleep 600' });
    const page = await ground.person(browser);
    await page.getByRole('button', { name: 'Stop execute_command' }).click();
    expect(answerText(await call)).to.include('A person stopped this call');
  });

  it('shows history, policy and figures, and tries a call', async () => {
    const server = await ground.serve(POLICY);
    await server.callTool(1, 'read_file', { path: '/etc/shadow' });
    const page = await ground.person(browser);
    await show(page, 'History');
    await eventually('the record has reached the disk', async () => {
      await page.reload();
      return (await page.getByText('NO_ALLOW').count()) > 0;
    });
    await button(page, 'Verify the chain').click();
    await page.getByText(/The chain is whole: \d+ records/).waitFor();
    await show(page, 'Policy');
    await page.getByLabel('Tool').fill('read_file');
    await page.getByLabel('Arguments as JSON').fill('{"path":".env"}');
    await button(page, 'Ask the policy').click();
    await page.getByText('deny: PROTECTED').waitFor();
    await show(page, 'Figures');
    await page.getByRole('img', { name: /^Calls by tool: / }).waitFor();
    await page.getByRole('img', { name: /NO_ALLOW 1/ }).waitFor();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has nothing serious that axe finds, ${colorScheme}, wide and on a phone`, async () => {
      const server = await ground.serve(POLICY);
      await server.callTool(1, 'read_file', { path: '/etc/shadow' });
      await server.callTool(2, 'execute_command', { command: 'echo out; sleep 900', background: true });
      server.post({ id: 3, method: 'tools/call', params: { name: 'echo', arguments: { message: 'm' } } });
      for (const width of [1100, 360]) {
        const page = await ground.person(browser, {
          colorScheme,
          viewport: { width, height: 800 },
          bypassCSP: true,
        });
        await page.locator('li').getByText('echo').first().waitFor();
        for (const name of PAGES) {
          await page.goto(new URL(name, page.url()).href);
          await page.addScriptTag({ content: axe.source });
          const found = await page.evaluate(
            'axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => [id, impact, nodes[0].html]))',
          );
          expect(found, `${name} ${width}`).to.deep.equal([]);
          const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
          expect(tooWide, `${name} is wider than ${width}`).to.equal(false);
          if (process.env.CASTELLAN_SHOTS !== undefined)
            await page.screenshot({
              path: `${process.env.CASTELLAN_SHOTS}/${name}-${colorScheme}-${width}.png`,
            });
        }
      }
    });

  it('is used with the keyboard alone', async () => {
    const server = await ground.serve(POLICY);
    const page = await ground.person(browser);
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).to.equal('To the content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approvals' }).waitFor();
    const call = server.callTool(1, 'echo', { message: 'hello' });
    await button(page, 'Allow once').waitFor();
    await button(page, 'Allow once').focus();
    await page.keyboard.press('Enter');
    expect(answerText(await call)).to.include('hello');
  });
});
