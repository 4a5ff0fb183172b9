export function useGlobalKeys(): void {}
