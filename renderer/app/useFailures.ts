import { useEffect } from 'react';
import { useApp } from '../state/context.tsx';
import { failureText, isHarmless } from '../ui/failureText.ts';

/** Errors that nothing caught are shown, with details to copy; they would otherwise be in the console alone. */
export function useFailures(): void {
  const { actions } = useApp();
  useEffect(() => {
    // Refused, the details are shown instead: a failure to copy must not be the next failure to report.
    const copyDetails = (details: string) =>
      navigator.clipboard
        .writeText(details)
        .catch(() => actions.toast({ tone: 'error', text: 'Could not copy. The details:', detail: details }));
    const show = (thrown: unknown, message: string, where: string) => {
      if (isHarmless(thrown, message)) return;
      const details = failureText(thrown ?? message, where);
      actions.toast({
        tone: 'error',
        text: 'Something went wrong.',
        detail: message,
        action: { label: 'Copy details', run: () => void copyDetails(details) },
      });
    };
    const onError = ({ error, message }: ErrorEvent) => show(error, message, 'window');
    const onRejection = ({ reason }: PromiseRejectionEvent) =>
      show(reason, reason instanceof Error ? reason.message : String(reason), 'promise');
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    return () => {
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
    };
  }, [actions]);
}
