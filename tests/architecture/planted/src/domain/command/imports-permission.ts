export { allowed } from '../permission/rule.js';
