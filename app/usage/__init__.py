from app.usage.allowance import (
    Allowance,
    budget_warning,
    check_allowance,
    create_budget_question,
    use_allowance,
)
from app.usage.csv_export import USAGE_COLUMNS, csv_line, statement_csv, usage_cells
from app.usage.meter import Meter, Spender, meter_calls
from app.usage.prices import load_price_file, open_prices
from app.usage.service import UsageService, open_usage
from app.usage.spendings import Spendings
from app.usage.statement import (
    NOT_PRICED,
    PER_CREDIT,
    ROUNDING,
    Line,
    ModelLine,
    PriceLine,
    Statement,
    create_statement,
    month_of,
    span_of_month,
    statement_view,
)

__all__ = [
    "NOT_PRICED",
    "PER_CREDIT",
    "ROUNDING",
    "USAGE_COLUMNS",
    "Allowance",
    "Line",
    "Meter",
    "ModelLine",
    "PriceLine",
    "Spender",
    "Spendings",
    "Statement",
    "UsageService",
    "budget_warning",
    "check_allowance",
    "create_budget_question",
    "create_statement",
    "csv_line",
    "load_price_file",
    "meter_calls",
    "month_of",
    "open_prices",
    "open_usage",
    "span_of_month",
    "statement_csv",
    "statement_view",
    "usage_cells",
    "use_allowance",
]
