"""How Java reads text: Integer.parseInt, Double.parseDouble, Duration.parse, String.trim and split."""

from __future__ import annotations

INT = (-(2**31), 2**31 - 1)
LIMITS = {"short": (-(2**15), 2**15 - 1), "int": INT, "long": (-(2**63), 2**63 - 1)}
TRIMMED = "".join(map(chr, range(33)))
"""What String.trim takes off."""
BLANKS = " \t\n\x0b\f\r"
"""What \\s matches, around the commas of a list."""
SECONDS = {"D": 86400, "H": 3600, "M": 60, "S": 1}


def trim(text: str) -> str:
    """Text as ConfigDef sees it, whatever its type."""
    return text.strip(TRIMMED)


def whole(text: str, low: int, high: int) -> int:
    """A whole number within limits, written without blanks, exponent or underscores."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    short = unsigned.lstrip("0") or unsigned[:1]
    # Python refuses to read thousands of digits; Java's limits are reached long before.
    if short.isdecimal() and len(short) < 20:
        number = -int(short) if text[0] == "-" else int(short)
        if low <= number <= high:
            return number
    raise ValueError(text)


def is_int(text: str) -> bool:
    """Whether Integer.parseInt takes it."""
    try:
        whole(text, *INT)
    except ValueError:
        return False
    return True


def double(text: str) -> float:
    """A number, with an exponent, a type suffix or in hexadecimal if need be."""
    unsigned = text[1:] if text[:1] in ("+", "-") else text
    if unsigned in ("NaN", "Infinity"):
        return float(text)
    number = text[:-1] if text[-1:] in ("d", "D", "f", "F") else text
    return _hexadecimal(text, number) if unsigned[:2] in ("0x", "0X") else _decimal(number)


def _decimal(text: str) -> float:
    if text.strip("0123456789.eE+-"):
        raise ValueError(text)
    return float(text)


def _hexadecimal(text: str, number: str) -> float:
    power = text.lower().partition("p")[2]
    if not power or "_" in text:  # Java wants the binary exponent
        raise ValueError(text)
    return float.fromhex(number)


def entries(text: str) -> tuple[str, ...]:
    """The parts between commas; an empty text has none."""
    return tuple(entry.strip(BLANKS) for entry in text.split(",")) if text else ()


def duration(text: str) -> bool:
    """Whether java.time.Duration.parse takes it and the result is not negative."""
    upper = text.upper()
    sign = -1 if upper.startswith("-") else 1
    if not upper.lstrip("+-").startswith("P") or len(upper) - len(upper.lstrip("+-")) > 1:
        return False
    days, t, times = upper.lstrip("+-")[1:].partition("T")
    if (t and not times) or not (days or times):
        return False
    amounts = (_amounts(days, "D"), _amounts(times, "HMS"))
    return None not in amounts and sign * sum(amount or 0 for amount in amounts) >= 0


def _amounts(text: str, units: str) -> float | None:
    """Seconds in '3H-2M1.5S', each unit once and in this order; None if it is not written like that."""
    total = 0.0
    for unit in units:
        number, letter, behind = text.partition(unit)
        if letter:
            whole_part, point, fraction = number.replace(",", ".").partition(".")
            if not digits(whole_part[1:] if whole_part[:1] in ("+", "-") else whole_part):
                return None
            if point and (unit != "S" or len(fraction) > 9 or not (not fraction or digits(fraction))):
                return None
            total, text = total + float(f"{whole_part}.{fraction or 0}") * SECONDS[unit], behind
    return None if text else total


def digits(text: str) -> bool:
    """Whether it is one or more of 0 to 9."""
    return text.isascii() and text.isdigit()
