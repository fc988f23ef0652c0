import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { type AsyncAction, submitTo } from '../../hooks/use-action.ts'
import { ChoiceCards, type ChoiceCardsProps } from './choice-cards.tsx'

type ChoiceFormProps<Value extends string> = ChoiceCardsProps<Value> & {
  /** Stores the choice. */
  saving: AsyncAction<[]>
  /** Text of the button. */
  submit: string
}

/** Form of a question that is answered by one choice. */
export function ChoiceForm<Value extends string>({
  saving,
  submit,
  ...question
}: ChoiceFormProps<Value>) {
  return (
    <form className="stack" onSubmit={submitTo(saving)} aria-label={question.legend}>
      <ChoiceCards {...question} />
      <FormError error={saving.error} />
      <p>
        <Button type="submit" className="main" isBusy={saving.isRunning}>
          {submit}
        </Button>
      </p>
    </form>
  )
}
