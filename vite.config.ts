import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Builds the renderer (dist/renderer) and configures the two test projects. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          root: import.meta.dirname,
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**'],
          environment: 'node',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          root: import.meta.dirname,
          include: ['test/e2e/**/*.e2e.ts'],
          environment: 'node',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
