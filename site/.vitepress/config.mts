import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

/** Written by scripts/site.ts with the pages. */
const { version, sidebar } = JSON.parse(readFileSync(new URL('../pages/site.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'Castellan',
  description: 'Let AI agents work in your project, within limits you can read.',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (md) => {
      // Braces of our placeholders are text, not expressions of Vue.
      md.renderer.rules.text = (tokens, index) =>
        md.utils.escapeHtml(tokens[index]?.content ?? '').replaceAll('{{', '<span v-pre>{{</span>');
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[index]?.content ?? '')}</code>`;
    },
  },
  // Fonts of the machine and search in the page: nothing is loaded from elsewhere.
  themeConfig: {
    search: { provider: 'local', options: { translations: { button: { buttonAriaLabel: 'Search' } } } },
    outline: [2, 3],
    nav: [
      { text: 'Tutorial', link: '/tutorial/first-agent' },
      { text: 'How-to', link: '/how-to/write-a-policy' },
      { text: 'Reference', link: '/reference/cli' },
      { text: 'Explanation', link: '/explanation/security-model' },
      { text: version, items: [{ text: 'Changelog', link: '/project/CHANGELOG' }] },
    ],
    sidebar,
  },
});
