import { planted as other } from './not-there.js';

export const planted = other;
