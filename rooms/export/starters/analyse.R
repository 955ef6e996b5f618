# Starts the analysis of a study as analyse.py does, in base R. Copy it and go on from here.
#
#     Rscript analyse.R              # in the folder of the export: writes results/ there
#     Rscript analyse.R FOLDER
#     Rscript analyse.R --trial      # a rehearsal: the rows of trial runs in place of the others
#
# One row of person_games.csv is one person in one game. Sides are kept apart: the two shares of a
# deal make 1. Trial runs and games without a zone are left out. Errors are clustered by both people
# of a game (Aronow, Samii and Assenova 2015).

drop_fallback <- FALSE # TRUE leaves out games in which rules played for a prompt's model
drop_closed <- FALSE # TRUE leaves out games that the room ended; say which in the preregistration

given <- commandArgs(trailingOnly = TRUE)
is_pilot <- if ("--trial" %in% given) "true" else "false"
given <- setdiff(given, "--trial")
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # so does R write a space
folder <- if (length(given)) given[1] else if (length(script)) dirname(script[1]) else "."
rows <- read.csv(file.path(folder, "person_games.csv"), colClasses = "character", encoding = "UTF-8")
rows <- rows[rows$is_pilot == is_pilot & rows$has_zone == "true", ]
if (drop_fallback) rows <- rows[rows$fallback_turns %in% c("", "0"), ]
if (drop_closed) rows <- rows[rows$closed == "", ]
if (!nrow(rows)) stop("There are no games with a zone in it; --trial takes those of a trial run.")
rows$arm[rows$arm == ""] <- "all"
rows$share <- as.numeric(rows$share)
rows$deal <- as.numeric(rows$has_deal == "true")

# The error of a sum of residuals over games: games that share a person count as dependent.
error_of <- function(rows, rest) {
  alone <- rows$partner == ""
  pair <- ifelse(alone, rows$participant, paste(
    pmin(as.integer(rows$participant), as.integer(rows$partner), na.rm = TRUE),
    pmax(as.integer(rows$participant), as.integer(rows$partner), na.rm = TRUE), sep = "+"
  ))
  sums <- function(rest, who) if (length(rest)) tapply(rest, who, sum) else 0
  people <- sums(c(rest, rest[!alone]), c(rows$participant, rows$partner[!alone]))
  total <- sum(people^2) - sum(sums(rest[!alone], pair[!alone])^2)
  total <- max(total, sum(sums(rest, pair)^2))
  units <- min(length(people), nrow(rows))
  error <- if (units > 1) sqrt(total * units / (units - 1)) else NA
  c(error, max(units - 1, 1))
}

mean_of <- function(rows, measure) {
  value <- rows[[measure]]
  c(mean(value), error_of(rows, (value - mean(value)) / nrow(rows)))
}

# Two conditions that the same people played.
within_people <- function(first, second, measure) {
  one <- first[[measure]]
  other <- second[[measure]]
  rest <- c((one - mean(one)) / length(one), (mean(other) - other) / length(other))
  c(mean(one) - mean(other), error_of(rbind(first, second), rest))
}

# Two arms that have no person in common.
difference <- function(first, second, measure) {
  one <- mean_of(first, measure)
  other <- mean_of(second, measure)
  v <- c(one[2], other[2])^2
  below <- v[1]^2 / one[3] + v[2]^2 / other[3]
  freedom <- if (isTRUE(below > 0)) max(floor(sum(v)^2 / below), 1) else one[3] + other[3]
  c(one[1] - other[1], sqrt(sum(v)), freedom)
}

line_of <- function(side, measure, arm, games, people, found, least) {
  reach <- qt(0.975, found[3]) * found[2]
  data.frame(side, measure, arm, games, people, mean = found[1],
             low = max(found[1] - reach, least), high = min(found[1] + reach, 1))
}

table <- NULL
for (side in c("seller", "buyer")) for (measure in c("deal", "share")) {
  mine <- rows[rows$side == side, ]
  arms <- split(mine, factor(mine$arm, sort(unique(mine$arm), method = "radix")))
  # By the levels of each factor, over all levels of the others.
  parts <- strsplit(mine$levels, " ")
  crossed <- lapply(unique(sub("=.*", "", unlist(parts))), function(factor_) {
    level <- vapply(parts, function(one) c(one[startsWith(one, paste0(factor_, "="))], "")[1], "")
    split(mine, factor(level, sort(setdiff(unique(level), ""), method = "radix")))
  })
  conditions <- sort(setdiff(unique(mine$condition), ""), method = "radix")
  conditions <- split(mine, factor(mine$condition, conditions))
  every <- c(arms, do.call(c, crossed), conditions)
  for (name in names(every)) {
    games <- every[[name]]
    people <- length(unique(games$participant))
    found <- mean_of(games, measure)
    table <- rbind(table, line_of(side, measure, name, nrow(games), people, found, 0))
  }
  compared <- lapply(c(list(arms), crossed), function(groups) list(groups, difference))
  for (groups in c(compared, list(list(conditions, within_people)))) {
    for (name in names(groups[[1]])[-1]) {
      less <- paste(name, "less", names(groups[[1]])[1])
      found <- groups[[2]](groups[[1]][[name]], groups[[1]][[1]], measure)
      table <- rbind(table, line_of(side, measure, less, NA, NA, found, -1))
    }
  }
}
dir.create(file.path(folder, "results"), showWarnings = FALSE)
write.csv(table, file.path(folder, "results", "means.csv"), row.names = FALSE, na = "")
print(table, digits = 3, row.names = FALSE)

shown <- table[table$measure == "share" & !grepl(" less ", table$arm), ]
pdf(file.path(folder, "results", "shares.pdf"), width = 8, height = 2 + 0.4 * nrow(shown))
par(mar = c(5, 12, 2, 2))
place <- rev(seq_len(nrow(shown)))
plot(shown$mean, place, xlim = c(0, 1), ylim = c(0.5, nrow(shown) + 0.5), pch = 19, yaxt = "n",
     ylab = "", xlab = "Own part of the zone, 95 % intervals")
segments(shown$low, place, shown$high, place)
axis(2, place, paste0(shown$arm, ", ", shown$side, " (", shown$games, ")"), las = 1)
invisible(dev.off())
