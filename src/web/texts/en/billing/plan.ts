/** Texts of plans and subscriptions. */

export const plan = 'Plan'
export const planLead = 'Billed monthly. A new plan applies to all your keys at once.'
export const plans = 'Plans'
export const historyOfPlans =
  'With every plan, the dashboard shows up to 90 days of price history. The history in the list is what API keys can request.'
export const manualPlans =
  'Plans are paid monthly and do not renew automatically. An upgrade starts when it is paid and credits the rest of your current plan. A downgrade starts when your current plan ends.'
export const manageSubscription = 'Manage subscription'
export const payments = 'Payments'
export const forever = 'forever'
export const perMonth = 'per month'
export const notIncluded = 'Not included:'
export const yourPlan = 'Your plan'
export const payForAnotherMonthOf = (name: string) => `Pay for another month of ${name}`
export const chooseNamed = (name: string) => `Choose ${name}`
export const payForAnotherMonth = 'Pay for another month'
export const choose = 'Choose'
export const requestsPerDay = (dailyRequests: string) => `${dailyRequests} requests per day`
export const bulkResolveUpTo = (resolveItems: string) => `Bulk resolve, up to ${resolveItems} cards`
export const bulkResolve = 'Bulk resolve'
export const pricesOfEntireSets = 'Prices of entire sets'
export const bulkPricesAndCards = 'Bulk prices and cards'
export const exports = 'Exports'
export const priceAlerts = 'Price alerts'
export const commercialUse = 'Commercial use'
export const fullPriceHistory = 'Full price history'
export const daysOfPriceHistory = (days: string) => `${days} days of price history`
export const priceHistory = 'Price history'
export const active = 'Active'
export const trial = 'Trial'
export const paymentOverdue = 'Payment overdue'
export const unpaid = 'Unpaid'
export const paused = 'Paused'
export const waitingForPayment = 'Waiting for payment'
export const notPaid = 'Not paid'
export const canceled = 'Canceled'
export const youHaveNoPaidPlan = 'You have no paid plan.'
export const overdue = 'Your payment is overdue. Pay within a week to keep the plan.'
export const overdueSince = (day: string) =>
  `Your payment is overdue. Your plan was paid until ${day}. Pay within a week to keep the plan.`
export const planHasEnded = 'Your plan has ended.'
export const planEndedOn = (day: string) => `Your plan ended on ${day}.`
export const assignedByTheOperator = 'Assigned by the operator.'
export const endsOn = (day: string) => `Ends on ${day}. It will not renew.`
export const untilThen = ({ day, planName }: Record<'day' | 'planName', string>) =>
  `Until ${day}. Then your plan changes to ${planName}.`
export const until = (day: string) => `Until ${day}.`
