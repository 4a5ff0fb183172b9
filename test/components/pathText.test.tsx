// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PathText } from '../../renderer/ui/PathText.tsx';

it('a path without room keeps its end: the folders before it give way', () => {
  const parts = (path: string) => {
    const { container } = render(<PathText path={path} />);
    return [...container.querySelectorAll('.path > *')].map((one) => one.textContent);
  };
  expect(parts('/home/me/project/src/trace.ts')).toEqual(['/home/me/project/src', '/trace.ts']);
  expect(parts('D:\\oh-my-posh\\src\\shell.go')).toEqual(['D:\\oh-my-posh\\src', '\\shell.go']);
  expect(parts('src/folder/')).toEqual(['src', '/folder/']);
  for (const whole of ['trace.ts', '/trace.ts', '']) expect(parts(whole)).toEqual([]);
});
