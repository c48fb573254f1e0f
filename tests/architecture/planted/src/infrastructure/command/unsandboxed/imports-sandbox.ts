import { planted as other } from '../sandbox/part.js';

export const planted = other;
